import { builtInProfileId } from '#contract';

/** The number in the name of the built-in engine, `portrait-13`; 0 in another's. */
export const engineNumber = (engine: string): number => Number(/^portrait-(\d{1,6})$/.exec(engine)?.[1] ?? 0);

/** SQL over `models m` with one value, the number of the engine that is here: made by an older one. */
export const isOutdated = `(m.source = 'portrait' AND m.profileId = '${builtInProfileId}'
  AND m.engine GLOB 'portrait-[0-9]*' AND CAST(substr(m.engine, 10) AS INTEGER) < ?)`;
