import { ActionIcon, Tooltip } from '@mantine/core';
import { type Icon, IconEye, IconEyeOff, IconMoodSmile, IconPlus, IconScissors } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { type Action, useActions } from '../../../base/actions.ts';
import { notify } from '../../../base/notices.tsx';
import { createStore } from '../../../base/store.ts';
import type { TakePlayback } from '../../take-playback.ts';
import type { EditSession } from '../edits/edit-session.ts';
import { showSelected } from '../inspector-tab.ts';
import type { TimelinePointer } from '../timeline/timeline-pointer.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { type ShownPart, useShownParts } from './shown-parts.tsx';
import classes from './Tracks.module.css';
import { type CopiedPart, type PartEdit, type TrackKind, trackEdits, trackKinds } from './track-edits.ts';
import { type PartDrag, usePartDrag } from './use-part-drag.ts';

/** Pixels of one track. */
const trackHeight = 28;
export const tracksHeight = trackHeight * trackKinds.length;

const icons: Readonly<Record<TrackKind, Icon>> = {
  expression: IconMoodSmile,
  gaze: IconEye,
  blink: IconEyeOff,
  cut: IconScissors,
};

const addActions: readonly Action<{ add: (kind: TrackKind) => void }>[] = (
  ['expression', 'gaze', 'blink'] as const
).map((kind) => ({
  id: `takes.add.${kind}`,
  words: `takes:editor.tracks.add.${kind}`,
  icon: icons[kind],
  run: ({ add }) => add(kind),
}));

/** The part that was copied last; it is pasted into every take. */
const copiedPart = createStore<CopiedPart | null>(null);

interface TracksProps {
  session: EditSession;
  timeline: TimelineState;
  playback: Pick<TakePlayback, 'now' | 'seek' | 'toggle'>;
  /** When the recording blinks, seconds. */
  recordedBlinks: readonly number[];
  snap: (at: number) => number;
  /** Goes to a moment and selects a range, where no part is. */
  pointer: TimelinePointer;
}

/** Expressions, looks, blinks and cuts as blocks and diamonds over the take's time. */
export function Tracks(props: TracksProps) {
  const { t } = useTranslation('takes');
  const { session, timeline, playback, snap, pointer } = props;
  const select = (kind: TrackKind, index: number): void => {
    timeline.selected.set({ kind, index });
    showSelected();
  };
  const drag = usePartDrag(session, timeline, snap, select);
  const make = (kind: TrackKind, edit: PartEdit | null | undefined): void => {
    if (!edit) {
      notify({ level: 'info', title: t(`editor.tracks.noRoom.${kind}`), text: '' });
      return;
    }
    session.apply(edit.operation);
    if (edit.index === null) timeline.selected.set(null);
    else select(kind, edit.index);
  };
  useActions('pages.takes', addActions, {
    add: (kind) =>
      make(kind, trackEdits[kind].added(session.shown.get(), playback.now(), timeline.seconds, undefined)),
  });
  const parts = useShownParts(session, timeline, props.recordedBlinks);
  return (
    <div className={classes.tracks}>
      {trackKinds.map((kind) => (
        <Track
          key={kind}
          kind={kind}
          parts={parts[kind]}
          session={session}
          timeline={timeline}
          playback={playback}
          drag={drag}
          pointer={pointer}
          select={select}
          make={make}
        />
      ))}
    </div>
  );
}

type KeyActions = Readonly<Record<string, (() => void) | undefined>>;

interface TrackProps {
  kind: TrackKind;
  parts: readonly ShownPart[];
  session: EditSession;
  timeline: TimelineState;
  playback: TracksProps['playback'];
  drag: PartDrag;
  pointer: TimelinePointer;
  select: (kind: TrackKind, index: number) => void;
  make: (kind: TrackKind, edit: PartEdit | null | undefined) => void;
}

function Track(props: TrackProps) {
  const { t } = useTranslation('takes');
  const { kind, parts, session, timeline, playback, drag, pointer, select, make } = props;
  const selected = timeline.selected.use();
  const index = selected?.kind === kind ? selected.index : null;
  const shown = parts.findIndex((part) => part.index === index);
  const { seconds } = timeline;
  const track = trackEdits[kind];
  const Picture = icons[kind];
  const name = t(`editor.tracks.${kind}`);
  const canAdd = kind !== 'cut';
  const edits = () => session.shown.get();
  const add = (at: number, like?: CopiedPart): void => make(kind, track.added(edits(), at, seconds, like));
  const choose = (at: number): void => {
    const part = parts[Math.max(0, Math.min(parts.length - 1, at))];
    if (!part) return;
    select(kind, part.index);
    playback.seek(part.from);
  };
  /** The selected part, if it is edited and not of the recording. */
  const own = index !== null && index >= 0 ? index : null;
  const moveBy = (frames: number): void => {
    if (own !== null) make(kind, track.moved(edits(), own, frames / timeline.frameRate, seconds));
  };
  const remove = own === null ? undefined : () => make(kind, track.removed(edits(), own, seconds));
  const open = (): void => {
    if (shown >= 0) showSelected();
    else if (canAdd) add(playback.now());
  };
  const plainKeys = (isShift: boolean): KeyActions => ({
    ArrowLeft: () => (isShift ? moveBy(-1) : choose(shown < 0 ? parts.length - 1 : shown - 1)),
    ArrowRight: () => (isShift ? moveBy(1) : choose(shown + 1)),
    // Up and down go through the list of takes elsewhere.
    ArrowUp: () => undefined,
    ArrowDown: () => undefined,
    Home: () => choose(0),
    End: () => choose(parts.length - 1),
    Enter: open,
    ' ': playback.toggle,
    Delete: remove,
    Backspace: remove,
    Escape: index === null ? undefined : () => timeline.selected.set(null),
  });
  const commandKeys = (): KeyActions => {
    const copied = copiedPart.get();
    const part = own === null ? null : track.copied(edits(), own, seconds);
    return {
      c: part ? () => copiedPart.set(part) : undefined,
      v: copied?.kind === kind ? () => add(playback.now(), copied) : undefined,
    };
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const keys = isCommand ? commandKeys() : plainKeys(event.shiftKey);
    const act = keys[isCommand ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <>
      <div className={classes.name} data-selected={index !== null || undefined}>
        <Picture size={15} aria-hidden />
        <span className={classes.words}>{name}</span>
        {canAdd && (
          <Tooltip label={t(`editor.tracks.add.${kind}`)}>
            <ActionIcon
              size={24}
              aria-label={t(`editor.tracks.add.${kind}`)}
              onClick={() => add(playback.now())}
            >
              <IconPlus size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <div
        role="listbox"
        tabIndex={0}
        aria-label={name}
        aria-activedescendant={shown >= 0 && index !== null ? partId(kind, index) : undefined}
        className={classes.lane}
        onKeyDown={onKey}
        onPointerDown={(event) => {
          // Here and not in the list of curves: whoever captures a pointer has its double click as well.
          event.stopPropagation();
          pointer.select(event);
        }}
        onPointerMove={(event) => {
          event.stopPropagation();
          pointer.move(event);
        }}
        onPointerUp={pointer.end}
        onPointerCancel={pointer.end}
        onDoubleClick={(event) => {
          event.stopPropagation();
          const area = event.currentTarget.getBoundingClientRect();
          if (canAdd && event.target === event.currentTarget)
            add(timeline.timeAt((event.clientX - area.left) / area.width));
        }}
      >
        {parts.map((part) => (
          <Part
            key={part.index}
            kind={kind}
            part={part}
            isSelected={part.index === index}
            timeline={timeline}
            drag={drag}
            select={select}
          />
        ))}
      </div>
    </>
  );
}

const partId = (kind: TrackKind, index: number): string => `take-${kind}-${index}`;

function Part(props: {
  kind: TrackKind;
  part: ShownPart;
  isSelected: boolean;
  timeline: TimelineState;
  drag: PartDrag;
  select: TrackProps['select'];
}) {
  const { kind, part, isSelected, timeline, drag, select } = props;
  const { from: start, span } = timeline.window.use();
  const { toPlayed } = timeline.map.use();
  const [from, to] = [toPlayed(part.from), toPlayed(part.to)];
  const percent = (played: number): number => ((played - start) / span) * 100;
  const [left, right] = [percent(from), percent(to)];
  if (right < -20 || left > 120) return null;
  const length = to - from;
  const inside = (at: number): number => (length > 0 ? ((toPlayed(at) - from) / length) * 100 : 50);
  return (
    <div
      id={partId(kind, part.index)}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-label={part.name}
      title={part.name}
      data-form={part.form}
      data-recorded={part.isRecorded || undefined}
      className={classes.part}
      style={{ left: `${left}%`, ...(part.form === 'block' && { width: `${right - left}%` }) }}
      onPointerDown={(event) => {
        event.currentTarget.parentElement?.focus();
        if (part.isRecorded) {
          event.stopPropagation();
          select(kind, part.index);
        } else drag.begin(event, kind, part.index, 'move');
      }}
      onPointerMove={(event) => {
        event.stopPropagation();
        drag.move(event);
      }}
      onPointerUp={(event) => {
        event.stopPropagation();
        drag.end();
      }}
      onPointerCancel={drag.cancel}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {part.course && (
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          <path
            d={`M0 100${part.course.map(({ time, weight }) => `L${inside(time).toFixed(2)} ${100 - weight * 100}`).join('')}L100 100z`}
          />
        </svg>
      )}
      {part.content && <span className={classes.content}>{part.content}</span>}
      {!part.isRecorded &&
        part.grips.map(({ grip, at }) => (
          <i
            key={grip}
            aria-hidden
            data-grip={grip}
            style={grip === 'rise' || grip === 'fall' ? { left: `${inside(at)}%` } : undefined}
            onPointerDown={(event) => drag.begin(event, kind, part.index, grip)}
          />
        ))}
    </div>
  );
}
