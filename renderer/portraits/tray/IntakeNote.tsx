import { Button, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PhotoImport } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useBatchOverview } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import { remember, useRemembered } from '../batch-state.ts';
import classes from './IntakeNote.module.css';
import { ManifestProblems } from './ManifestProblems.tsx';
import { troubled } from './manifest.ts';

/** Files of which nobody thinks that they are photos. */
const neverPhotos: ReadonlySet<PhotoImport['skipped'][number]['reason']> = new Set(['sidecar', 'hidden']);

/**
 * Files being taken in, and afterwards those that were not, with why,
 * and what of a manifest could not be taken.
 */
export function IntakeNote() {
  const { t } = useTranslation(['portraits', 'app']);
  // Main's sentence says more than the reason alone, in English.
  const figures = useFigures();
  const own = useRemembered().intake;
  const running = useBatchOverview().data?.intake;
  const intake = own ?? (running?.state === 'running' ? running : undefined);
  if (!intake) return null;
  const { id, state, found, added, message } = intake;
  const skipped = intake.skipped.filter(({ reason }) => !neverPhotos.has(reason));
  const examples = intake.examples.filter(({ reason }) => !neverPhotos.has(reason));
  const left = skipped.reduce((sum, { count }) => sum + count, 0);
  const unclear = troubled(intake.manifests);
  if (state === 'done' && left === 0 && unclear.length === 0) return null;
  const putAside = (): void => remember({ intake: undefined });
  if (state === 'running')
    return (
      <div className={classes.running} role="status">
        <Loader size={13} color="gray" />
        <span className="figures">{t('intake.running', { found, added })}</span>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          onClick={() => attempt(() => studio.batch.cancelImport({ id }))}
        >
          {t('app:actions.cancel')}
        </Button>
      </div>
    );
  const manifests = unclear.map((manifest) => (
    <ManifestProblems key={manifest.fileName} manifest={manifest} onClose={putAside} />
  ));
  if (state === 'done' && left === 0) return <>{manifests}</>;
  return (
    <>
      {manifests}
      <div className={classes.note}>
        <Callout
          tone={state === 'failed' ? 'bad' : 'info'}
          title={
            state === 'failed'
              ? worded(message)
              : state === 'cancelled'
                ? t('intake.cancelled', { added: figures.number(added) })
                : t('intake.done', { added, count: left })
          }
          action={
            <Button variant="subtle" color="gray" onClick={putAside}>
              {t('app:actions.close')}
            </Button>
          }
        >
          {skipped
            .map(({ reason, count }) => t('intake.reason', { reason: t(`skipped.${reason}`), count }))
            .join(' · ')}
          {examples.length > 0 && (
            <details className={classes.details}>
              <summary>{t('intake.which')}</summary>
              <ul className={classes.examples}>
                {examples.map(({ fileName, detail }) => (
                  <li key={fileName}>
                    <b>{fileName}</b> {worded(detail)}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </Callout>
      </div>
    </>
  );
}
