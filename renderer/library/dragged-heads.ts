/** Heads being dragged from the grid or the list to a collection. */
import type { DragEvent } from 'react';
import { isChosen } from '../ui/lists/selection.ts';
import { asSelection, type ModelSelection, modelSelection } from './model-list.ts';

/** Tells them from files and from whatever else is dragged over a page. */
const kind = 'application/x-likeness-heads';

let dragged: ModelSelection | undefined;

/** For `onDragStart` of a head: dragging a selected head drags the selection, any other is dragged alone. */
export function dragHead(event: DragEvent, id: string): void {
  const { chosen } = modelSelection;
  dragged = isChosen(chosen, id) ? asSelection(chosen) : { ids: [id] };
  event.dataTransfer.setData(kind, '');
  event.dataTransfer.effectAllowed = 'copy';
}

/** Event handlers of a drop target for heads; `data-over` is set while they are above it. */
export function dropTarget(take: (heads: ModelSelection) => void): {
  onDragOver: (event: DragEvent<HTMLElement>) => void;
  onDragLeave: (event: DragEvent<HTMLElement>) => void;
  onDrop: (event: DragEvent<HTMLElement>) => void;
} {
  return {
    onDragOver(event) {
      if (!event.dataTransfer.types.includes(kind)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      event.currentTarget.toggleAttribute('data-over', true);
    },
    onDragLeave(event) {
      event.currentTarget.removeAttribute('data-over');
    },
    onDrop(event) {
      event.currentTarget.removeAttribute('data-over');
      if (!event.dataTransfer.types.includes(kind) || !dragged) return;
      event.preventDefault();
      take(dragged);
    },
  };
}
