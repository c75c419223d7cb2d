import { builtInProfileId, type HeadCorrections } from '#contract';
import type { Crop } from '#proto/crop.ts';
import type { FoundOutline } from '../ports.ts';

/** Corrections of the outline go to the built-in engine alone: no other server is known to take them. */
export const correctionsFor = (
  profileId: string,
  corrections: HeadCorrections | null,
): HeadCorrections | null => (profileId === builtInProfileId ? corrections : null);

/** Corrections of a whole photo, as those of the part that is sent. */
export function withinCrop({ strokes, crown }: HeadCorrections, crop: Crop | null): HeadCorrections {
  if (!crop) return { strokes, crown };
  return {
    strokes: strokes.map(({ kind, radius, points }) => ({
      kind,
      radius: radius / crop.width,
      points: points.map((value, i) =>
        i % 2 === 0 ? (value - crop.x) / crop.width : (value - crop.y) / crop.height,
      ),
    })),
    crown,
  };
}

/** An outline within the part that is sent, as one of the whole photo. */
export function withinWhole(outline: FoundOutline, crop: Crop | null): FoundOutline {
  if (!crop) return outline;
  const rings = outline.rings.map((ring) =>
    ring.map((value, i) => (i % 2 === 0 ? crop.x + value * crop.width : crop.y + value * crop.height)),
  );
  return { ...outline, rings };
}
