import type { RefObject } from 'react';
import classes from '../timeline/Timeline.module.css';
import type { TimelineContent } from '../timeline/timeline-content.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';

/** Over all tracks: the selection, folds of what is cut, the line that a drag snaps to, and the playhead. */
export function TracksOverlay(props: {
  state: TimelineState;
  content: Pick<TimelineContent, 'cuts'>;
  playhead: RefObject<HTMLDivElement | null>;
}) {
  const { state, content, playhead } = props;
  state.window.use();
  state.map.use();
  const selection = state.selection.use();
  const snapLine = state.snapLine.use();
  const percent = (at: number): string => `${state.shareOf(at) * 100}%`;
  return (
    <div className={classes.over} aria-hidden>
      {selection && (
        <div
          className={classes.selected}
          style={{
            left: percent(selection.from),
            width: `${(state.shareOf(selection.to) - state.shareOf(selection.from)) * 100}%`,
          }}
        />
      )}
      {content.cuts.map(({ from }) => (
        <div key={from} className={classes.fold} style={{ left: percent(from) }} />
      ))}
      {snapLine !== null && (
        <div className={classes.snap} style={{ left: percent(snapLine) }}>
          <span>{state.map.get().toPlayed(snapLine).toFixed(2)}</span>
        </div>
      )}
      <div ref={playhead} className={classes.playhead} />
    </div>
  );
}
