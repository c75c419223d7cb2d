import { builtInTables } from '@likeness/gltf/formats/names/built_in_tables.ts';
import type { NameRow } from '@likeness/gltf/formats/names/name_table.ts';
import {
  arkitBlendshapeIndex,
  arkitBlendshapeNames,
  isArkitBlendshapeName,
} from '@likeness/proto/blendshapes.ts';
import type { SendNames } from '#contract';

/** A name of another vocabulary and its value, 0..1. */
export type Named = [name: string, value: number];
export type NameFace = (weights: Float32Array) => Named[];

/** Moods are left to the user of the other program: joy can't be measured in a speaking face. */
const moods = /^(neutral|happy|angry|sad|relaxed|surprised|joy|sorrow|fun)$/i;
/** Both lids, and each by itself: their common part is a blink. */
const blinks = /^blink(_?[lr](eft|ight)?)?$/i;
/** Iterations of the descent. Five vowels are within 1e-3 of the optimum after a dozen. */
const rounds = 24;

/**
 * Converts a face of ARKit's channels to another vocabulary. A synonym of a channel gets its value. Vowels
 * and gaze directions are sums of channels; many faces have no exact solution. They get the non-negative
 * weights whose sum is nearest to the face (least squares).
 */
export function namesFor(table: SendNames): NameFace {
  const rows: readonly NameRow[] = builtInTables[table];
  const named = rows
    .filter(({ name }) => !moods.test(name))
    .map((row) => ({ name: row.name, parts: arkitPartsOf(row) }));
  if (named.every(({ parts }) => parts.length === 1 && parts[0]![1] === 1)) {
    const channels = named.map(({ name, parts }) => [name, parts[0]![0]] as const);
    return (weights) => channels.map(([name, channel]) => [name, weights[channel]!]);
  }
  const lids = named.filter(({ name }) => blinks.test(name)).map(({ name }) => name);
  const sums = named.filter(({ name }) => !blinks.test(name));
  const mix = nearestShares(sums.map(({ parts }) => parts));
  return (weights) => {
    const left = weights[arkitBlendshapeIndex.eyeBlinkLeft]!;
    const right = weights[arkitBlendshapeIndex.eyeBlinkRight]!;
    const both = Math.min(left, right);
    const shares = mix(weights);
    return [
      ...sums.map(({ name }, at): Named => [name, shares[at]!]),
      ...lids.map((name): Named => {
        if (/l(eft)?$/i.test(name)) return [name, left - both];
        return [name, /r(ight)?$/i.test(name) ? right - both : both];
      }),
    ];
  };
}

/** ARKit channels that make up a name, with their weights: the alternative that needs no other names. */
function arkitPartsOf({ alternatives }: NameRow): [place: number, weight: number][] {
  const alternative = alternatives.find(
    (parts) => parts.length > 0 && parts.every(({ shape }) => isArkitBlendshapeName(shape)),
  );
  return (alternative ?? []).flatMap(({ shape, weight }) =>
    isArkitBlendshapeName(shape) ? [[arkitBlendshapeIndex[shape], weight] as [number, number]] : [],
  );
}

/** Non-negative least squares by coordinate descent, each weight limited to 1. */
function nearestShares(parts: readonly [number, number][][]): (weights: Float32Array) => Float32Array {
  const columns = parts.map((column) => {
    const dense = new Float64Array(arkitBlendshapeNames.length);
    for (const [channel, weight] of column) dense[channel]! += weight;
    return dense;
  });
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
    let sum = 0;
    for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
    return sum;
  };
  const products = columns.map((a) => columns.map((b) => dot(a, b)));
  return (weights) => {
    const wanted = columns.map((column) => dot(column, weights));
    const shares = new Float32Array(columns.length);
    for (let round = 0; round < rounds; round++) {
      for (let at = 0; at < shares.length; at++) {
        const own = products[at]![at]!;
        if (own === 0) continue;
        const others = dot(products[at]!, shares) - own * shares[at]!;
        shares[at] = Math.min(1, Math.max(0, (wanted[at]! - others) / own));
      }
    }
    return shares;
  };
}
