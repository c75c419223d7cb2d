/** Lists and bounds of a take's edits, for the page too: no schema in this file. */

/** Parts of the face that are edited as one. Each channel belongs to one; `head` has pose alone. */
export const faceRegions = ['mouth', 'jaw', 'brows', 'eyes', 'head'] as const;
export type FaceRegion = (typeof faceRegions)[number];

/**
 * Source of a region's movement. `measured`: by the recording (audio or a tracker); `inferred` from it by the
 * studio; `generated` from a seed (blinks, gaze, head); `drawn` by hand.
 */
export const movementSources = ['measured', 'inferred', 'generated', 'drawn'] as const;

/** Regions that can be generated: what a mouth says can't. */
export const generatedRegions: readonly FaceRegion[] = ['brows', 'eyes', 'head'];

/** How a value goes to the next key's. */
export const interpolations = ['step', 'linear', 'smooth'] as const;
export type Interpolation = (typeof interpolations)[number];

/** Bounds of one edit's parts: fifty operations at their largest are a message that the studio takes. */
export const editLimits = {
  /** Maximum length of a recording, seconds. */
  seconds: 86_400,
  operations: 50,
  /** Takes that become one. */
  joined: 200,
  channels: 200,
  /** Of one drawn stretch: six minutes with a key for each thirtieth of a second. */
  keys: 10_000,
  /** Drawn stretches of one channel. */
  stretches: 10_000,
  expressions: 2000,
  gazes: 5000,
  blinks: 20_000,
  pieces: 8000,
  markers: 10_000,
  presets: 200,
  /** Characters of a preset's name. */
  name: 60,
  note: 2000,
  gain: 4,
  shiftSeconds: 2,
  smoothingMs: 500,
  speed: { least: 0.25, most: 4 },
} as const;
