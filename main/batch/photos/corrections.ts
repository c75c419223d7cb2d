import { type Crop, pointsInWhole } from '@likeness/proto/crop.ts';
import { correctionsInPart } from '@likeness/proto/heads/head_corrections.ts';
import { builtInProfileId, type HeadCorrections } from '#contract';
import type { FoundOutline } from '../ports.ts';

/** Corrections of the outline go to the built-in engine alone: no other server is known to take them. */
export const correctionsFor = (
  profileId: string,
  corrections: HeadCorrections | null,
): HeadCorrections | null => (profileId === builtInProfileId ? corrections : null);

/** Corrections of a whole photo, as those of the part that is sent. */
export const withinCrop = ({ strokes, crown }: HeadCorrections, crop: Crop | null): HeadCorrections =>
  crop ? correctionsInPart({ strokes, crown }, crop) : { strokes, crown };

/** An outline within the part that is sent, as one of the whole photo. */
export const withinWhole = (outline: FoundOutline, crop: Crop | null): FoundOutline =>
  crop ? { ...outline, rings: outline.rings.map((ring) => pointsInWhole(ring, crop)) } : outline;
