/** Layout of curves in rows: regions that expand and collapse, or search results. */
import { type FaceRegion, faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { TakeCurve } from './take-curves.ts';

export interface TimelineRow {
  /** Null: a single curve of a region that is open, or that was searched for. */
  readonly region: FaceRegion | null;
  /** Those that are drawn: of a region the ones that move most. */
  readonly curves: readonly TakeCurve[];
  /** Pixels from the first row's top. */
  readonly top: number;
  readonly height: number;
}

/** Pixels. */
const regionHeight = 32;
const curveHeight = 28;
/** Height of the edited curve's row. */
const chosenHeight = 92;
/** Maximum number of overlapping curves in a collapsed region; more are not legible. */
const overlaid = 4;

/** @param first pixels above the first row */
export function timelineRows(
  curves: readonly TakeCurve[],
  open: ReadonlySet<FaceRegion>,
  search: string,
  chosen: string | null,
  first = 0,
): TimelineRow[] {
  const sought = search.trim().toLowerCase();
  const rows: TimelineRow[] = [];
  let top = first;
  const heightOf = ({ name }: TakeCurve): number => (name === chosen ? chosenHeight : curveHeight);
  const add = (region: FaceRegion | null, those: readonly TakeCurve[], height: number): void => {
    rows.push({ region, curves: those, top, height });
    top += height;
  };
  if (sought) {
    for (const curve of curves)
      if (curve.name.toLowerCase().includes(sought)) add(null, [curve], heightOf(curve));
    return rows;
  }
  for (const region of faceRegions) {
    const those = curves.filter((curve) => curve.region === region);
    // Of a face that is not read yet the regions stand where its curves will.
    if (those.length === 0 && curves.length > 0) continue;
    add(region, liveliest(those), regionHeight);
    if (open.has(region)) for (const curve of those) add(null, [curve], heightOf(curve));
  }
  return rows;
}

/** Pixels between a row's edge and its curve. */
export const rowInset = 3;

export const rowsHeight = (rows: readonly TimelineRow[]): number => {
  const last = rows.at(-1);
  return last ? last.top + last.height : 0;
};

/** Those that move most, the liveliest last, so that it is drawn over the others. */
function liveliest(curves: readonly TakeCurve[]): TakeCurve[] {
  return curves
    .map((curve) => ({ curve, moves: curve.pyramid.range() / (curve.most - curve.least) }))
    .sort((a, b) => b.moves - a.moves)
    .slice(0, overlaid)
    .map(({ curve }) => curve)
    .reverse();
}
