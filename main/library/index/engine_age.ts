import { builtInProfileId } from '#contract';

/** Returns the number in the built-in engine's name, `portrait-13`; 0 for other names. */
export const engineNumber = (engine: string): number => Number(/^portrait-(\d{1,6})$/.exec(engine)?.[1] ?? 0);

/** SQL over `models m` with one value, the current engine's number: made by an older engine. */
export const isOutdated = `(m.source = 'portrait' AND m.profileId = '${builtInProfileId}'
  AND m.engine GLOB 'portrait-[0-9]*' AND CAST(substr(m.engine, 10) AS INTEGER) < ?)`;
