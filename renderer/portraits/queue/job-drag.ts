import { type ComponentProps, type DragEvent, useState } from 'react';
import type { Job } from '#contract';
import { jobSelection } from './job-list.ts';
import { putBefore } from './job-orders.ts';

const mediaType = 'application/x-likeness-job';

/**
 * Dragging of queued jobs before others: of one row, or of all that are chosen where it is one of them.
 *
 * @returns What a row needs; `data-over` while something is dragged over it.
 */
export function useJobDrag(): (job: Job) => ComponentProps<'div'> & { 'data-over': true | undefined } {
  const [over, setOver] = useState<string>();
  const onDrop = (event: DragEvent, before: Job): void => {
    const id = event.dataTransfer.getData(mediaType);
    setOver(undefined);
    if (!id || id === before.id) return;
    event.preventDefault();
    event.stopPropagation();
    const { ids } = jobSelection.chosen;
    putBefore(ids.has(id) ? [...ids] : [id], before.id);
  };
  return (job) => ({
    'data-over': over === job.id || undefined,
    draggable: job.state === 'queued',
    onDragStart: (event) => {
      event.dataTransfer.setData(mediaType, job.id);
      event.dataTransfer.effectAllowed = 'move';
    },
    onDragOver: (event) => {
      if (job.state !== 'queued' || !event.dataTransfer.types.includes(mediaType)) return;
      event.preventDefault();
      setOver(job.id);
    },
    onDragLeave: () => setOver(undefined),
    onDrop: (event) => onDrop(event, job),
  });
}
