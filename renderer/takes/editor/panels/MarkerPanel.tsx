import { editLimits } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { Marker } from '@likeness/proto/takes/edits/take_edits.ts';
import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconArrowBarToRight, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../../base/text/number-format.ts';
import type { EditSession } from '../edits/edit-session.ts';
import type { TakeEditing } from '../edits/take-editing.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { TimeCell } from './NumberCell.tsx';
import classes from './panels.module.css';

/** Markers with their notes. */
export function MarkerPanel(props: {
  session: EditSession;
  editing: TakeEditing;
  goTo: (at: number) => void;
}) {
  const { t } = useTranslation('takes');
  const { session, editing, goTo } = props;
  const { markers } = session.shown.use();
  return (
    <div className={classes.panel}>
      {markers.length === 0 && <p className={classes.quiet}>{t('editor.marks.none')}</p>}
      {markers.map((marker) => (
        <MarkerRow
          key={marker.id}
          marker={marker}
          timeline={editing.timeline}
          session={session}
          goTo={goTo}
        />
      ))}
    </div>
  );
}

function MarkerRow(props: {
  marker: Marker;
  timeline: TimelineState;
  session: EditSession;
  goTo: (at: number) => void;
}) {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const { marker, timeline, session, goTo } = props;
  const { id, time, note } = marker;
  const [draft, setDraft] = useState<string | null>(null);
  const at = figures.seconds(timeline.map.use().toPlayed(time));
  const set = (changes: Partial<Omit<Marker, 'id'>>): void =>
    session.apply({ kind: 'marker', id, marker: { time, note, ...changes } });
  return (
    <div className={classes.row}>
      <TimeCell
        timeline={timeline}
        label={t('editor.curve.timeOf', { at })}
        value={time}
        digits={2}
        onSet={(next) => set({ time: next })}
      />
      <TextInput
        className={classes.note ?? ''}
        aria-label={t('editor.marks.noteOf', { at })}
        placeholder={t('notes')}
        maxLength={editLimits.note}
        value={draft ?? note}
        onChange={({ currentTarget: { value } }) => setDraft(value)}
        onBlur={() => {
          if (draft !== null && draft !== note) set({ note: draft });
          setDraft(null);
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') currentTarget.blur();
        }}
      />
      <Tooltip label={t('editor.marks.goTo')}>
        <ActionIcon size={26} aria-label={t('editor.marks.goToOf', { at })} onClick={() => goTo(time)}>
          <IconArrowBarToRight size={15} />
        </ActionIcon>
      </Tooltip>
      <ActionIcon
        size={26}
        aria-label={t('editor.acting.removeAt', { at })}
        onClick={() => session.apply({ kind: 'marker', id, marker: null })}
      >
        <IconTrash size={14} />
      </ActionIcon>
    </div>
  );
}
