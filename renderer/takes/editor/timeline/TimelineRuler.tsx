import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { seek } from '../../seek.ts';
import type { TakePlayback } from '../../take-playback.ts';
import { rulerHeight } from './draw-timeline.ts';
import classes from './Timeline.module.css';
import type { TimelinePointer } from './timeline-pointer.ts';
import type { TimelineState } from './timeline-state.ts';

/** Ruler and sound: a slider for those who use keys; the ruler scrubs, the sound is selected by dragging. */
export function TimelineRuler(props: {
  state: TimelineState;
  playback: TakePlayback;
  pointer: TimelinePointer;
}) {
  const { t } = useTranslation('takes');
  const { state, playback, pointer } = props;
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (seek(playback, state, event.key, event.shiftKey)) event.preventDefault();
  };
  return (
    <div
      ref={playback.slider}
      role="slider"
      tabIndex={0}
      aria-label={t('position')}
      aria-valuemin={0}
      aria-valuemax={state.map.use().seconds}
      aria-valuenow={0}
      className={classes.ruler}
      onPointerDown={(event) => {
        const { top } = event.currentTarget.getBoundingClientRect();
        if (event.clientY - top < rulerHeight) pointer.scrub(event);
        else pointer.select(event);
      }}
      onPointerMove={pointer.move}
      onPointerUp={pointer.end}
      onPointerCancel={pointer.end}
      onKeyDown={onKey}
    />
  );
}
