import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Callout } from '../ui/Callout.tsx';
import classes from './IntakeNote.module.css';
import type { Problems } from './manifest.ts';

/** Where a manifest could not be taken at its word: by line and column, as an editor counts them. */
export function ManifestProblems({ problems, onClose }: { problems: Problems; onClose: () => void }) {
  const { t } = useTranslation(['portraits', 'app']);
  return (
    <div className={classes.note}>
      <Callout
        tone="warn"
        title={t('manifest.problems', { count: problems.length })}
        action={
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('app:actions.close')}
          </Button>
        }
      >
        <ul className={classes.examples}>
          {problems.map(({ line, column, fault, value }) => (
            <li key={`${line}:${column}:${fault}`}>
              {t('manifest.at', { line, column, problem: t(`manifest.faults.${fault}`, { value }) })}
            </li>
          ))}
        </ul>
      </Callout>
    </div>
  );
}
