import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconArrowsHorizontal, IconPencil, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { memo, type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ToolButton } from '../../../ui/ToolButton.tsx';
import type { TakePlayback } from '../../take-playback.ts';
import type { EditSession } from '../edits/edit-session.ts';
import { SelectionFields } from '../panels/SelectionFields.tsx';
import { SnappingSwitch } from '../snapping/SnappingSwitch.tsx';
import { snapping } from '../snapping/snapping.ts';
import { SpectrogramSwitch } from '../spectrogram/SpectrogramSwitch.tsx';
import type { Spectrogram } from '../spectrogram/spectrogram.ts';
import { useCurvePointer } from './curve-pointer.ts';
import { Overview } from './Overview.tsx';
import classes from './Timeline.module.css';
import { TimelineLabels } from './TimelineLabels.tsx';
import { TimelineRuler } from './TimelineRuler.tsx';
import { snapped, zoomStep } from './time-window.ts';
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
  /** The lane of words, and below all what belongs to the chosen word. */
  children: ReactNode;
}) {
  const { t } = useTranslation('takes');
  const { state, content, playback, session, spectrogram } = props;
  const open = state.openRegions.use();
  const search = state.search.use();
  const channel = state.channel.use();
  const { curves } = content.curves;
  const rows = useMemo(() => timelineRows(curves, open, search, channel), [curves, open, search, channel]);
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
      <TimelineTools state={state} now={playback.now} />
      <Overview state={state} sound={content.sound} playback={playback} />
      <canvas
        ref={canvas}
        data-timeline={content.isRead || undefined}
        className={classes.canvas}
        aria-hidden
      />
      <div className={classes.inOut}>
        <SelectionFields timeline={state} />
      </div>
      <div className={classes.search}>
        <TextInput
          aria-label={t('editor.searchChannel')}
          placeholder={t('editor.searchChannel')}
          value={search}
          onChange={({ currentTarget: { value } }) => state.search.set(value)}
        />
      </div>
      <TimelineRuler state={state} playback={playback} pointer={pointer} />
      {props.children}
      <section
        ref={scroller}
        className={classes.rows}
        aria-label={t('editor.curves')}
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
          <TimelineLabels rows={rows} state={state} />
        </div>
      </section>
      <div className={classes.over} aria-hidden>
        <div ref={playhead} className={classes.playhead} />
      </div>
    </div>
  );
}

function* snapTimesOf({ words, markers, cuts }: TimelineContent): Generator<number> {
  for (const { from, to } of [...words, ...cuts]) yield* [from, to];
  for (const { time } of markers) yield time;
}

/** Pixels of the tools over the timeline. */
const small = { size: 22, iconSize: 15 };

/** Zoom, and what of the timeline is switched on. */
const TimelineTools = memo(function TimelineTools(props: { state: TimelineState; now: () => number }) {
  const { t } = useTranslation('takes');
  const { state, now } = props;
  const hasChannel = state.channel.use((channel) => channel !== null);
  const isPencil = state.pencil.use();
  return (
    <div className={classes.tools}>
      <ToolButton
        label={t('editor.zoomOut')}
        icon={IconZoomOut}
        {...small}
        onClick={() => state.zoom(zoomStep, now())}
      />
      <ToolButton
        label={t('editor.zoomIn')}
        icon={IconZoomIn}
        {...small}
        onClick={() => state.zoom(1 / zoomStep, now())}
      />
      <ToolButton
        label={t('editor.showAll')}
        icon={IconArrowsHorizontal}
        {...small}
        onClick={state.showAll}
      />
      <SnappingSwitch />
      <SpectrogramSwitch />
      {hasChannel && (
        <Tooltip label={t('editor.curve.pencil')}>
          <ActionIcon
            size={22}
            variant={isPencil ? 'filled' : 'subtle'}
            color={isPencil ? 'patina' : 'gray'}
            aria-label={t('editor.curve.pencil')}
            aria-pressed={isPencil}
            onClick={() => state.pencil.set(!isPencil)}
          >
            <IconPencil size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
});
