/** Keys of the timeline, as editors of sound and film have them. */
import { useActions } from '../../../base/actions.ts';
import { shortcut } from '../../../base/shortcuts/shortcut-table.ts';
import type { TakePlayback } from '../../take-playback.ts';
import { toggleSnapping } from '../snapping/snapping.ts';
import { nextSpectrogram } from '../spectrogram/spectrogram.ts';
import { zoomStep } from './time-window.ts';
import type { TimelineState } from './timeline-state.ts';

export function useTimelineActions(state: TimelineState, playback: TakePlayback): void {
  const { now } = playback;
  useActions(
    'pages.takes',
    [
      { ...shortcut('takes.back'), run: () => playback.shuttle(-1) },
      { ...shortcut('takes.stop'), run: playback.pause },
      { ...shortcut('takes.on'), run: () => playback.shuttle(1) },
      {
        ...shortcut('takes.in'),
        run: () => state.setEdge('from', now()),
      },
      {
        ...shortcut('takes.out'),
        run: () => state.setEdge('to', now()),
      },
      {
        ...shortcut('takes.selectNone'),
        applies: () => state.selection.get() !== null,
        run: () => state.selection.set(null),
      },
      {
        ...shortcut('takes.zoomIn'),
        repeats: true,
        run: () => state.zoom(1 / zoomStep, now()),
      },
      {
        ...shortcut('takes.zoomOut'),
        repeats: true,
        run: () => state.zoom(zoomStep, now()),
      },
      { ...shortcut('takes.spectrogram'), run: nextSpectrogram },
      { ...shortcut('takes.snapping'), run: toggleSnapping },
      { ...shortcut('takes.showAll'), run: state.showAll },
    ],
    undefined,
  );
}
