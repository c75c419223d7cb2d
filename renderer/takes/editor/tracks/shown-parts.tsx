import { IconArrowDown, IconArrowLeft, IconArrowRight, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../../base/text/number-format.ts';
import type { EditSession } from '../edits/edit-session.ts';
import type { TimeRange } from '../timeline/time-window.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { blockCourse, blockRamps, blockWeight, expressionBlocks, isPlain } from './expression-blocks.ts';
import { useExpressionName } from './expression-name.ts';
import { cutParts, type TrackKind } from './track-edits.ts';
import type { PartGrip } from './use-part-drag.ts';

/** A part as its track shows it. */
export interface ShownPart extends TimeRange {
  readonly index: number;
  /** For screen readers. */
  readonly name: string;
  readonly form: 'block' | 'diamond' | 'fold';
  readonly content?: ReactNode;
  /** The course of an expression: seconds and strength. */
  readonly course?: readonly { time: number; weight: number }[];
  readonly grips: readonly { grip: PartGrip; at: number }[];
  /** It comes from the recording and can't be moved. */
  readonly isRecorded?: boolean;
}

/** The parts of all tracks as they are seen and told. */
export function useShownParts(
  session: EditSession,
  timeline: TimelineState,
  recordedBlinks: readonly number[],
): Readonly<Record<TrackKind, readonly ShownPart[]>> {
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const nameOf = useExpressionName();
  const { toPlayed } = timeline.map.use();
  const edits = session.shown.use();
  const { seconds } = timeline;
  const at = (time: number): string => figures.seconds(toPlayed(time));
  const range = ({ from, to }: TimeRange): string => t('editor.tracks.range', { from: at(from), to: at(to) });
  const edges = ({ from, to }: TimeRange): ShownPart['grips'] => [
    { grip: 'from', at: from },
    { grip: 'to', at: to },
  ];
  return {
    expression: expressionBlocks(edits.expressions, seconds).flatMap((block, index): ShownPart[] => {
      const weight = blockWeight(block);
      if (weight === 0) return [];
      const { rise, fall } = blockRamps(block);
      const label = `${nameOf(block.preset)} ${figures.percent(weight)}`;
      return [
        {
          ...{ index, from: block.from, to: block.to, form: 'block', content: label },
          name: `${label}, ${range(block)}`,
          course: blockCourse(block),
          grips: [
            { grip: 'strength', at: block.from },
            ...(isPlain(block)
              ? ([
                  { grip: 'rise', at: block.from + rise },
                  { grip: 'fall', at: block.to - fall },
                ] as const)
              : []),
            ...edges(block),
          ],
        },
      ];
    }),
    gaze: edits.gaze.map((stretch, index): ShownPart => {
      const label = t('editor.tracks.gazeOf', { yaw: stretch.yaw, pitch: stretch.pitch });
      return {
        ...{ index, from: stretch.from, to: stretch.to, form: 'block', grips: edges(stretch) },
        name: `${label}, ${range(stretch)}`,
        content: <Direction yaw={stretch.yaw} pitch={stretch.pitch} />,
      };
    }),
    blink: [
      ...(edits.blinks.recorded
        ? recordedBlinks.map(
            (time, index): ShownPart => ({
              ...{ index: -1 - index, from: time, to: time, form: 'diamond', grips: [], isRecorded: true },
              name: t('editor.tracks.recordedBlink', { at: at(time) }),
            }),
          )
        : []),
      ...edits.blinks.added.map(
        (time, index): ShownPart => ({
          ...{ index, from: time, to: time, form: 'diamond', grips: [] },
          name: t('editor.acting.blinkAt', { at: at(time) }),
        }),
      ),
    ].toSorted((a, b) => a.from - b.from),
    cut: cutParts(edits, seconds).map((part, index): ShownPart => {
      const isCut = part.speed === 0;
      const length = figures.number(part.to - part.from, 2);
      return {
        ...{ index, from: part.from, to: part.to, form: isCut ? 'fold' : 'block', grips: edges(part) },
        content: isCut ? `−${length} s` : `${figures.number(part.speed, 2)}×`,
        name: isCut
          ? t('editor.tracks.cutAt', { at: at(part.from), length })
          : t('editor.tracks.speedAt', { range: range(part), speed: figures.number(part.speed, 2) }),
      };
    }),
  };
}

/** Where the eyes go, and how far. */
function Direction({ yaw, pitch }: { yaw: number; pitch: number }) {
  const { t } = useTranslation('takes');
  const isSideways = Math.abs(yaw) >= Math.abs(pitch);
  const size = { size: 12, 'aria-hidden': true } as const;
  const degrees = Math.abs(Math.round(isSideways ? yaw : pitch));
  const direction = isSideways ? (yaw < 0 ? 'left' : 'right') : pitch < 0 ? 'down' : 'up';
  const Arrow = { left: IconArrowLeft, right: IconArrowRight, up: IconArrowUp, down: IconArrowDown }[
    direction
  ];
  return (
    <>
      <Arrow {...size} /> {t(`editor.tracks.degrees.${direction}`, { degrees })}
    </>
  );
}
