import { availableParallelism } from 'node:os';

/** Heads made at once unless somebody says otherwise: one core stays for everything else. */
export const defaultWorkers = (): number => Math.max(1, availableParallelism() - 1);

/** Photos that are checked, cropped or outlined at once, beside the heads in the making. */
export const photosAtOnce = 2;
