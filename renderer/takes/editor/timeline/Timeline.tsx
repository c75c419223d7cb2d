import { TextInput } from '@mantine/core';
import { IconTextCaption, IconVolume } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TakePlayback } from '../../take-playback.ts';
import type { EditSession } from '../edits/edit-session.ts';
import { snapping } from '../snapping/snapping.ts';
import { SpectrogramSwitch } from '../spectrogram/SpectrogramSwitch.tsx';
import type { Spectrogram } from '../spectrogram/spectrogram.ts';
import { Tracks, tracksHeight } from '../tracks/Tracks.tsx';
import { TracksOverlay } from '../tracks/TracksOverlay.tsx';
import { useCurvePointer } from './curve-pointer.ts';
import { Overview } from './Overview.tsx';
import classes from './Timeline.module.css';
import { TimelineLabels } from './TimelineLabels.tsx';
import { TimelineRuler } from './TimelineRuler.tsx';
import { snapped } from './time-window.ts';
import { useTimelineCanvas } from './timeline-canvas.ts';
import type { TimelineContent } from './timeline-content.ts';
import { useTimelinePointer } from './timeline-pointer.ts';
import { rowsHeight, timelineRows } from './timeline-rows.ts';
import type { TimelineState } from './timeline-state.ts';
import { useWheelZoom } from './wheel-zoom.ts';

/** Pixels within which a pointer snaps to words' ends and markers. */
const snapPixels = 6;

/** Sound, words and curves over one stretch of time, with playhead and selection. Drawn outside React. */
export function Timeline(props: {
  state: TimelineState;
  content: TimelineContent;
  playback: TakePlayback;
  session: EditSession;
  /** Null: it is off. */
  spectrogram: Spectrogram | null;
  /** When the recording blinks, seconds. */
  recordedBlinks: readonly number[];
  /** The lane of words; null: there are none. */
  children: ReactNode;
}) {
  const { t } = useTranslation('takes');
  const { state, content, playback, session, spectrogram } = props;
  const open = state.openRegions.use();
  const search = state.search.use();
  const channel = state.channel.use();
  const { curves } = content.curves;
  const rows = useMemo(
    () => timelineRows(curves, open, search, channel, tracksHeight),
    [curves, open, search, channel],
  );
  const { canvas, field, scroller, playhead } = useTimelineCanvas(
    state,
    content,
    rows,
    playback,
    channel,
    spectrogram,
  );
  useWheelZoom(field, state);
  const snap = (at: number): number => {
    const { span } = state.window.get();
    const reach = (snapPixels * span) / (canvas.current?.clientWidth || 1);
    const snapTimes = snapping.get() ? snapTimesOf(content) : [];
    return Math.min(state.seconds, snapped(at, state.frameRate, snapTimes, reach));
  };
  const pointer = useTimelinePointer(state, playback, canvas, snap);
  const curve = useCurvePointer({ state, session, content, rows, canvas, scroller });
  const isPencil = state.pencil.use();
  return (
    <div ref={field} className={classes.timeline} data-spectrogram={spectrogram?.scale}>
      <canvas
        ref={canvas}
        data-timeline={content.isRead || undefined}
        className={classes.canvas}
        aria-hidden
      />
      <TextInput
        variant="unstyled"
        className={classes.search ?? ''}
        aria-label={t('editor.searchChannel')}
        placeholder={t('editor.searchChannel')}
        value={search}
        onChange={({ currentTarget: { value } }) => state.search.set(value)}
      />
      <TimelineRuler state={state} playback={playback} pointer={pointer} />
      <div className={classes.track} data-track="audio">
        <IconVolume size={15} aria-hidden />
        <span className={classes.trackName}>{t('editor.tracks.audio')}</span>
        <SpectrogramSwitch />
      </div>
      <div className={classes.track} data-track="transcript">
        <IconTextCaption size={15} aria-hidden />
        <span className={classes.trackName}>{t('editor.tracks.transcript')}</span>
      </div>
      {props.children ?? <p className={classes.noWords}>{t('editor.tracks.noWords')}</p>}
      <section
        ref={scroller}
        className={classes.rows}
        aria-label={t('editor.curves')}
        data-scrolls
        data-pencil={isPencil || undefined}
        tabIndex={-1}
        onPointerDown={(event) => {
          if (!curve.begin(event)) pointer.select(event);
        }}
        onPointerMove={(event) => {
          if (!curve.move(event)) pointer.move(event);
        }}
        onPointerUp={() => {
          if (!curve.end()) pointer.end();
        }}
        onPointerCancel={() => {
          if (!curve.giveUp()) pointer.end();
        }}
        onDoubleClick={curve.addKey}
      >
        <div style={{ height: rowsHeight(rows) }}>
          <Tracks
            session={session}
            timeline={state}
            playback={playback}
            recordedBlinks={props.recordedBlinks}
            snap={snap}
            pointer={pointer}
          />
          <TimelineLabels rows={rows} state={state} session={session} />
        </div>
      </section>
      <Overview state={state} sound={content.sound} playback={playback} />
      <TracksOverlay state={state} content={content} playhead={playhead} />
    </div>
  );
}

function* snapTimesOf({ words, markers, cuts }: TimelineContent): Generator<number> {
  for (const { from, to } of [...words, ...cuts]) yield* [from, to];
  for (const { time } of markers) yield time;
}
