import { valueAt } from '@likeness/proto/takes/edits/drawn_curve.ts';

/** Points without those that lie on the line between their neighbours: Ramer, Douglas, Peucker. */
export function simplified<Point extends { time: number; value: number }>(points: readonly Point[]): Point[] {
  const kept = new Set([0, points.length - 1]);
  const open: [number, number][] = [[0, points.length - 1]];
  for (let range = open.pop(); range; range = open.pop()) {
    const [from, to] = range;
    const [a, b] = [points[from], points[to]];
    if (!a || !b || to - from < 2) continue;
    let farthest = from;
    let distance = tolerance;
    for (let at = from + 1; at < to; at++) {
      const { time, value } = points[at]!;
      const away = Math.abs(
        value -
          valueAt(
            [
              { ...a, to: 'linear' },
              { ...b, to: 'linear' },
            ],
            time,
          ),
      );
      if (away <= distance) continue;
      farthest = at;
      distance = away;
    }
    if (farthest === from) continue;
    kept.add(farthest);
    open.push([from, farthest], [farthest, to]);
  }
  return points.filter((_, at) => kept.has(at));
}

/** How far a curve that is made of keys may be from the one it was drawn as. */
const tolerance = 0.006;
