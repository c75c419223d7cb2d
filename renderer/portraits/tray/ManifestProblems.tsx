import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Callout } from '../../ui/Callout.tsx';
import classes from './IntakeNote.module.css';
import type { Manifest } from './manifest.ts';

/** Where a manifest could not be taken at its word: by line and column, as an editor counts them. */
export function ManifestProblems({ manifest, onClose }: { manifest: Manifest; onClose: () => void }) {
  const { t } = useTranslation(['portraits', 'app']);
  const { fileName, applied, problems } = manifest;
  const missing = problems.filter(({ fault }) => fault === 'no_photo').length;
  const title =
    applied === 0 && missing > 0
      ? t('manifest.noneHere', { count: missing, name: fileName })
      : applied === 0 && problems.length === 0
        ? t('manifest.saysNothing', { name: fileName })
        : t('manifest.problems', { count: problems.length, name: fileName });
  return (
    <div className={classes.note}>
      <Callout
        tone="warn"
        title={title}
        action={
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('app:actions.close')}
          </Button>
        }
      >
        {problems.length > 0 && (
          <ul className={classes.examples}>
            {problems.map(({ line, column, fault, value }) => (
              <li key={`${line}:${column}:${fault}`}>
                {t('manifest.at', { line, column, problem: t(`manifest.faults.${fault}`, { value }) })}
              </li>
            ))}
          </ul>
        )}
      </Callout>
    </div>
  );
}
