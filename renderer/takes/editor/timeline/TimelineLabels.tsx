import type { FaceRegion } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { RegionEdit } from '@likeness/proto/takes/edits/take_edits.ts';
import { Tooltip, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { EditSession } from '../edits/edit-session.ts';
import { showSelected } from '../inspector-tab.ts';
import classes from './Timeline.module.css';
import { headTurns } from './take-curves.ts';
import type { TimelineRow } from './timeline-rows.ts';
import type { TimelineState } from './timeline-state.ts';

/** Names of the rows: a region opens and closes, a channel is chosen. */
export const TimelineLabels = memo(function TimelineLabels(props: {
  rows: readonly TimelineRow[];
  state: TimelineState;
  session: EditSession;
}) {
  const { rows, state, session } = props;
  const { t } = useTranslation('takes');
  const open = state.openRegions.use();
  const channel = state.channel.use();
  const toggle = (region: FaceRegion): void => {
    const next = new Set(open);
    if (!next.delete(region)) next.add(region);
    state.openRegions.set(next);
  };
  return rows.map(({ region, curves, top, height }) => {
    const bounds = { top, height };
    const [curve] = curves;
    if (region)
      return (
        <div key={region} className={classes.group} style={bounds}>
          <UnstyledButton
            className={classes.opener}
            aria-expanded={open.has(region)}
            onClick={() => toggle(region)}
          >
            {open.has(region) ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
            {t(`editor.regions.${region}`)}
          </UnstyledButton>
          <MuteSolo region={region} session={session} />
        </div>
      );
    if (!curve) return null;
    const isTurn = headTurns.some((name) => name === curve.name);
    const name = isTurn ? t(`editor.turns.${curve.name as (typeof headTurns)[number]}`) : curve.name;
    return isTurn ? (
      <span key={curve.name} className={classes.label} style={bounds} data-inner>
        {name}
      </span>
    ) : (
      <UnstyledButton
        key={curve.name}
        className={classes.label}
        style={bounds}
        data-inner
        aria-pressed={channel === curve.name}
        onClick={() => {
          const isChosen = channel === curve.name;
          state.channel.set(isChosen ? null : curve.name);
          if (isChosen) return;
          state.selected.set({ kind: 'curve', index: 0 });
          showSelected();
        }}
      >
        {name}
      </UnstyledButton>
    );
  });
});

/** M leaves a region's movement out, S leaves out that of all others. */
function MuteSolo({ region, session }: { region: FaceRegion; session: EditSession }) {
  const { t } = useTranslation('takes');
  const { muted, solo } = session.shown.use(({ regions }) => regions[region]);
  const name = t(`editor.regions.${region}`);
  const toggle = (letter: string, label: string, isOn: boolean, changes: Partial<RegionEdit>) => (
    <Tooltip label={label}>
      <UnstyledButton
        className={classes.letter}
        aria-label={label}
        aria-pressed={isOn}
        onClick={() => session.apply({ kind: 'region', region, changes })}
      >
        {letter}
      </UnstyledButton>
    </Tooltip>
  );
  return (
    <>
      {toggle(t('editor.layers.muteLetter'), t('editor.layers.mute', { region: name }), muted, {
        muted: !muted,
      })}
      {toggle(t('editor.layers.soloLetter'), t('editor.layers.solo', { region: name }), solo, {
        solo: !solo,
      })}
    </>
  );
}
