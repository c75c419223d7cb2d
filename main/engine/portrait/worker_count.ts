import { availableParallelism } from 'node:os';

/** Heads that are made at once on this machine where nobody says otherwise: one core stays for everything else. */
export const defaultWorkers = (): number => Math.max(1, availableParallelism() - 1);
