import { craniumColumns } from '../skull/skull.ts';

/** Widest gap between hair above and below it that an earring or a lobe makes, columns of some 5 mm. */
const widestGap = 7;
/** And such a gap that an ear makes. */
export const widestEar = 20;
/** Widest spots of skin amid hair that are none, columns and rows. */
const widestSpot = { columns: 9, rows: 5 } as const;

/** The most that a vertex can have of what lies on both its sides, at most `widest` steps apart. */
function between(values: (step: number) => number, widest: number): number {
  let least = 0;
  for (let before = 1; before < widest; before++)
    for (let after = 1; before + after <= widest; after++)
      least = Math.max(least, Math.min(values(-before), values(after)));
  return least;
}

/** What lies so many columns from a vertex, in its row, round the head. */
const around =
  (presence: Float32Array, i: number) =>
  (step: number): number => {
    const column = i % craniumColumns;
    return presence[i - column + ((column + step + craniumColumns) % craniumColumns)];
  };

/**
 * Closes gaps of fewer than `widest` columns in hair that hangs `beside` the face, in place: it goes on behind what is
 * seen in them.
 */
export function closeGaps(presence: Float32Array, beside: (i: number) => boolean, widest = widestGap): void {
  const had = presence.slice();
  for (let i = 0; i < presence.length; i++) {
    if (!beside(i)) continue;
    presence[i] = Math.max(had[i], between(around(had, i), widest));
  }
}

/** Closes spots of skin with hair all round them, in place: gloss, or a gap that the photo shows badly. */
export function closeSpots(presence: Float32Array): void {
  const had = presence.slice();
  for (let i = craniumColumns; i < presence.length - craniumColumns; i++) {
    if (had[i] > 0.6) continue;
    const along = (step: number): number => had[i + step * craniumColumns] ?? 0;
    presence[i] = Math.max(
      had[i],
      Math.min(between(around(had, i), widestSpot.columns), between(along, widestSpot.rows)),
    );
  }
}
