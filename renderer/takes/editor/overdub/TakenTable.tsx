import { recordedAttempt } from '@likeness/proto/takes/edits/apply_operation.ts';
import { faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { TakeOverdub } from '#contract';
import { useFigures } from '../../../base/text/number-format.ts';
import type { EditSession } from '../edits/edit-session.ts';
import { TimeCell } from '../panels/NumberCell.tsx';
import classes from '../panels/panels.module.css';
import type { TimelineState } from '../timeline/timeline-state.ts';
import tryClasses from './overdub.module.css';
import { takeOperations } from './take-overdubs.ts';
import { type TakenPart, takenParts } from './taken-parts.ts';

/** The parts of the take that come from overdubs. Times and source of each part are editable. */
export function TakenTable(props: {
  overdubs: readonly TakeOverdub[];
  session: EditSession;
  timeline: TimelineState;
}) {
  const { t } = useTranslation('takes');
  const { session } = props;
  const parts = takenParts(session.shown.use());
  return (
    <section aria-label={t('editor.overdub.parts')}>
      <h2 className={classes.title}>{t('editor.overdub.parts')}</h2>
      <p className={classes.quiet}>
        {parts.length > 0 ? t('editor.overdub.cycle') : t('editor.overdub.noParts')}
      </p>
      {parts.map((part) => (
        <Part key={`${part.from} ${part.to} ${part.attempt} ${part.regions.join()}`} part={part} {...props} />
      ))}
    </section>
  );
}

function Part(props: {
  part: TakenPart;
  overdubs: readonly TakeOverdub[];
  session: EditSession;
  timeline: TimelineState;
}) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const { part, overdubs, session, timeline } = props;
  const { from, to, attempt, regions } = part;
  const at = figures.seconds(timeline.map.use().toPlayed(from));
  const change = (changes: Partial<TakenPart>): void => {
    const next = { ...part, ...changes };
    session.apply(
      ...takeOperations(regions, part, recordedAttempt),
      ...takeOperations(regions, next, next.attempt),
    );
  };
  const sources = [
    { value: recordedAttempt, label: t('editor.overdub.recording') },
    ...overdubs.map(({ id, name }) => ({ value: id, label: name })),
  ];
  // One that is in the trash, after an undo.
  if (!sources.some(({ value }) => value === attempt))
    sources.push({ value: attempt, label: t('editor.overdub.gone') });
  return (
    <div className={tryClasses.try}>
      <div className={tryClasses.line}>
        <span className={tryClasses.layers}>
          {regions.length === faceRegions.length
            ? t('editor.overdub.all')
            : regions.map((region) => t(`editor.regions.${region}`)).join(', ')}
        </span>
        <TimeCell
          timeline={timeline}
          label={t('editor.overdub.fromOf', { at })}
          value={from}
          digits={2}
          most={to - 0.01}
          onSet={(value) => change({ from: value })}
        />
        <TimeCell
          timeline={timeline}
          label={t('editor.overdub.toOf', { at })}
          value={to}
          digits={2}
          least={from + 0.01}
          onSet={(value) => change({ to: value })}
        />
      </div>
      <div className={tryClasses.line}>
        <NativeSelect
          className={tryClasses.grow ?? ''}
          size="xs"
          aria-label={t('editor.overdub.sourceOf', { at })}
          value={attempt}
          data={sources}
          onChange={({ currentTarget: { value } }) => change({ attempt: value })}
        />
        <ActionIcon
          size={26}
          aria-label={t('editor.acting.removeAt', { at })}
          onClick={() => session.apply(...takeOperations(regions, part, recordedAttempt))}
        >
          <IconTrash size={14} />
        </ActionIcon>
      </div>
    </div>
  );
}
