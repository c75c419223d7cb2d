import { type Crop, pointsInWhole } from '@likeness/proto/crop.ts';
import { correctionsInPart } from '@likeness/proto/heads/head_corrections.ts';
import { builtInProfileId, type HeadCorrections } from '#contract';
import type { FoundOutline } from '../ports.ts';

/** Outline corrections go only to the built-in engine: no other server is known to support them. */
export const correctionsFor = (
  profileId: string,
  corrections: HeadCorrections | null,
): HeadCorrections | null => (profileId === builtInProfileId ? corrections : null);

/** Converts corrections from the whole photo to the part that is sent. */
export const withinCrop = ({ strokes, crown }: HeadCorrections, crop: Crop | null): HeadCorrections =>
  crop ? correctionsInPart({ strokes, crown }, crop) : { strokes, crown };

/** Converts an outline from the part that is sent to the whole photo. */
export const withinWhole = (outline: FoundOutline, crop: Crop | null): FoundOutline =>
  crop ? { ...outline, rings: outline.rings.map((ring) => pointsInWhole(ring, crop)) } : outline;
