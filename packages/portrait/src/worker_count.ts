import { availableParallelism } from 'node:os';

/** Default number of heads made at once: one core stays free for everything else. */
export const defaultWorkers = (): number => Math.max(1, availableParallelism() - 1);

/** Photos that are checked, cropped or outlined at once, beside the heads in the making. */
export const maxConcurrentPhotos = 2;
