import { arkitChannelOf, visemeOf } from './channel_names.ts';

/** A share of one face shape. */
export interface ShapePart {
  /** ARKit's or Oculus' spelling if the shape is one of theirs, otherwise the head's. */
  shape: string;
  weight: number;
  /** Only the shape's effect on this half of the face (its own left). Null: all of it. */
  side: 'left' | 'right' | null;
}

/** A name of a vocabulary and the shapes it consists of. */
export interface NameRow {
  name: string;
  /**
   * Alternative sums of shapes: the first whose shapes all exist is used, otherwise the one that lacks
   * fewest. One without parts is the face at rest.
   */
  alternatives: readonly (readonly ShapePart[])[];
}

/** A vocabulary: the names that another program looks for. */
export interface NameTable {
  id: string;
  rows: readonly NameRow[];
}

/** The sum behind a name; `lacking` are missing shapes. */
export interface MadeName {
  name: string;
  parts: readonly ShapePart[];
  lacking: readonly string[];
}

/** The result of applying a table to a head's shapes. */
export interface NamePlan {
  made: readonly MadeName[];
  /** Names that stay still, with the shapes that they need. */
  missing: readonly { name: string; needs: readonly string[] }[];
  /** Shapes that no name of the table uses: they keep their names, or are left out. */
  unused: readonly string[];
}

/** A shape's name independent of spelling: `blendShape1.jawOpen` and `JawOpen` are `jawOpen`. */
export const shapeKey = (name: string): string => arkitChannelOf(name) ?? visemeOf(name) ?? name;

/** @param shapes - Names as the head has them */
export function planNames(shapes: Iterable<string>, { rows }: NameTable): NamePlan {
  const own = [...new Set(shapes)];
  const there = new Set(own.map(shapeKey));
  const made: MadeName[] = [];
  const missing: { name: string; needs: string[] }[] = [];
  const used = new Set<string>();
  for (const { name, alternatives } of rows) {
    // A head that already has the name needs no sum for it.
    const all = own.includes(name)
      ? [[{ shape: name, weight: 1, side: null }], ...alternatives]
      : alternatives;
    const tried = all.map((parts) => ({
      parts: parts.filter(({ shape }) => there.has(shapeKey(shape))),
      lacking: unique(parts.flatMap(({ shape }) => (there.has(shapeKey(shape)) ? [] : [shape]))),
    }));
    const whole = tried.find(({ lacking }) => lacking.length === 0);
    const best =
      whole ??
      tried
        .filter(({ parts }) => parts.length > 0)
        .toSorted((a, b) => a.lacking.length - b.lacking.length)[0];
    if (best) {
      made.push({ name, ...best });
      for (const { shape } of best.parts) used.add(shapeKey(shape));
    } else missing.push({ name, needs: tried[0]?.lacking ?? [] });
  }
  return { made, missing, unused: own.filter((shape) => !used.has(shapeKey(shape))) };
}

/** Returns the shape that a name is a synonym of; null if the name is a sum, a half or a share. */
export function soleShape({ parts }: MadeName): string | null {
  const [part] = parts;
  return parts.length === 1 && part?.weight === 1 && part.side === null ? part.shape : null;
}

/**
 * Parses a table's short form: `aa: ['viseme_aa', 'jawOpen 0.6, mouthFunnel 0.1 left']`, one text for each
 * alternative.
 */
export const rowsOf = (short: Readonly<Record<string, readonly string[]>>): NameRow[] =>
  Object.entries(short).map(([name, alternatives]) => ({ name, alternatives: alternatives.map(partsOf) }));

function partsOf(formula: string): ShapePart[] {
  return formula
    .split(',')
    .map((part) => part.trim().split(' '))
    .filter(([shape]) => shape !== '')
    .map(([shape = '', weight = '1', side]) => ({
      shape,
      weight: Number(weight),
      side: side === 'left' || side === 'right' ? side : null,
    }));
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
