import type { FaceRegion } from '@likeness/proto/takes/edits/edit_limits.ts';
import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Timeline.module.css';
import { headTurns } from './take-curves.ts';
import type { TimelineRow } from './timeline-rows.ts';
import type { TimelineState } from './timeline-state.ts';

/** Names of the rows: a region opens and closes, a channel is chosen. */
export const TimelineLabels = memo(function TimelineLabels({
  rows,
  state,
}: {
  rows: readonly TimelineRow[];
  state: TimelineState;
}) {
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
        <UnstyledButton
          key={region}
          className={classes.label}
          style={bounds}
          aria-expanded={open.has(region)}
          onClick={() => toggle(region)}
        >
          {open.has(region) ? <IconChevronDown size={13} /> : <IconChevronRight size={13} />}
          {t(`editor.regions.${region}`)}
        </UnstyledButton>
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
        onClick={() => state.channel.set(channel === curve.name ? null : curve.name)}
      >
        {name}
      </UnstyledButton>
    );
  });
});
