import { Button, Loader } from '@mantine/core';
import { IconDownload, IconReportAnalytics } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Scorecard as Card, Take } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { asFailure, studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { download } from '../../ui/download.ts';
import { useKeyedState } from '../keyed-state.ts';
import classes from './Scorecard.module.css';

/** Opens a take in figures. */
export const ScorecardButton = memo(function ScorecardButton(props: { take: Take; modelId: string }) {
  const { take, modelId } = props;
  const { t } = useTranslation('takes');
  const [opened, setOpened] = useKeyedState(take.id, false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconReportAnalytics size={15} />}
        onClick={() => setOpened(true)}
      >
        {t('score.title')}
      </Button>
      {opened && <Scorecard take={take} modelId={modelId} onClose={() => setOpened(false)} />}
    </>
  );
});

function Scorecard(props: { take: Take; modelId: string; onClose: () => void }) {
  const { t } = useTranslation(['takes', 'app']);
  const { take } = props;
  const asked = { id: take.id, modelId: props.modelId || null };
  // Measured anew each time it is opened: the take may have been edited.
  const { data, error } = useQuery({
    queryKey: ['take-score', asked, take.shownFace],
    queryFn: () => studio.takes.score(asked),
    gcTime: 0,
    staleTime: 0,
  });
  const save = (format: 'json' | 'csv'): void =>
    attempt(async () => download(await studio.takes.exportScore({ ...asked, format })));
  return (
    <MountedModal
      onClose={props.onClose}
      title={t('score.of', { name: take.name })}
      size={680}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      {error && (
        <Callout tone="bad" title={asFailure(error).message}>
          {asFailure(error).hint}
        </Callout>
      )}
      {!data && !error && (
        <p className={classes.waiting} role="status">
          <Loader size="xs" color="gray" /> {t('score.measuring')}
        </p>
      )}
      {data && <Figures card={data} />}
      <div className={classes.answers}>
        {(['json', 'csv'] as const).map((format) => (
          <Button
            key={format}
            variant="default"
            disabled={!data}
            leftSection={<IconDownload size={15} />}
            onClick={() => save(format)}
          >
            {t(`score.save.${format}`)}
          </Button>
        ))}
      </div>
    </MountedModal>
  );
}

function Figures({ card }: { card: Card }) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const moving = card.channels
    .filter(({ least, most }) => most - least >= 0.01)
    .toSorted((a, b) => b.most - b.least - (a.most - a.least));
  return (
    <>
      <dl className={classes.figures}>
        {card.figures.map(({ key, name, text, meaning, value }) => (
          <div key={key} className={classes.figure}>
            <dt>{worded(name)}</dt>
            <dd>
              <p className={value === null ? classes.none : classes.value}>{worded(text)}</p>
              <p className={classes.meaning}>{worded(meaning)}</p>
            </dd>
          </div>
        ))}
      </dl>
      <details className={classes.channels}>
        <summary>{t('score.channels', { count: moving.length })}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('score.channel')}</th>
              <th scope="col">{t('score.least')}</th>
              <th scope="col">{t('score.most')}</th>
            </tr>
          </thead>
          <tbody>
            {moving.map(({ name, least, most }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{figures.number(least, 2)}</td>
                <td>{figures.number(most, 2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
