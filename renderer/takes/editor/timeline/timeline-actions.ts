/** Keys of the timeline, as editors of sound and film have them. */
import { useActions } from '../../../base/actions.ts';
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
      { id: 'takes.back', words: 'takes:editor.keys.back', keys: ['J'], run: () => playback.shuttle(-1) },
      { id: 'takes.stop', words: 'takes:editor.keys.stop', keys: ['K'], run: playback.pause },
      { id: 'takes.on', words: 'takes:editor.keys.on', keys: ['L'], run: () => playback.shuttle(1) },
      {
        id: 'takes.in',
        words: 'takes:editor.keys.in',
        keys: ['I'],
        run: () => state.setEdge('from', now()),
      },
      {
        id: 'takes.out',
        words: 'takes:editor.keys.out',
        keys: ['O'],
        run: () => state.setEdge('to', now()),
      },
      {
        id: 'takes.selectNone',
        words: 'takes:editor.keys.selectNone',
        keys: ['Escape'],
        applies: () => state.selection.get() !== null,
        run: () => state.selection.set(null),
      },
      {
        id: 'takes.zoomIn',
        words: 'takes:editor.zoomIn',
        keys: ['+', '='],
        repeats: true,
        run: () => state.zoom(1 / zoomStep, now()),
      },
      {
        id: 'takes.zoomOut',
        words: 'takes:editor.zoomOut',
        keys: ['-'],
        repeats: true,
        run: () => state.zoom(zoomStep, now()),
      },
      { id: 'takes.spectrogram', words: 'takes:editor.spectrogram.next', keys: ['S'], run: nextSpectrogram },
      { id: 'takes.snapping', words: 'takes:editor.snapping', keys: ['N'], run: toggleSnapping },
      { id: 'takes.showAll', words: 'takes:editor.showAll', keys: ['Shift+Z'], run: state.showAll },
    ],
    undefined,
  );
}
