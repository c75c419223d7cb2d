import { driveLimits, type ShapeDrive } from '@likeness/proto/face/shape_drives.ts';
import { type DriveVocabulary, driveTables, driveVocabularies } from './drive_tables.ts';
import { type NameRow, shapeKey } from './name_table.ts';

export interface PlannedDrives {
  /** The vocabulary of most of the head's shapes; null: unknown. */
  vocabulary: DriveVocabulary | null;
  /** One for each shape of the head, in its order. */
  drives: ShapeDrive[];
  /**
   * Shapes that stay still because others have the same effect: visemes beside ARKit's, both lids beside each
   * lid.
   */
  spare: ReadonlySet<string>;
}

/** A VRM's own expression: a sum of shapes. */
export interface ShapeExpression {
  /** VRM 1.0's name of a preset. */
  name: string;
  parts: readonly { shape: string; weight: number }[];
}

/** Fewer shapes don't identify a vocabulary: a single `A` proves nothing. */
const fewest = 2;
/** Shapes for both lids, with the halves that replace them. */
const halves: Readonly<Record<string, readonly [string, string]>> = {
  blink: ['blinkLeft', 'blinkRight'],
  Blink: ['Blink_L', 'Blink_R'],
  Fcl_EYE_Close: ['Fcl_EYE_Close_L', 'Fcl_EYE_Close_R'],
  Eye_Blink: ['Eye_Blink_L', 'Eye_Blink_R'],
  Mouth_Smile: ['Mouth_Smile_L', 'Mouth_Smile_R'],
  Mouth_Frown: ['Mouth_Frown_L', 'Mouth_Frown_R'],
  まばたき: ['ウィンク', 'ウィンク右'],
};

/**
 * Returns the drive of each shape of a head, by its name. ARKit's and Oculus' shapes count in any spelling.
 * If there are none, the vocabulary that most shapes belong to counts.
 *
 * A VRM's own expressions define its shapes, whatever their names. They take precedence over names, except
 * ARKit's.
 *
 * @param shapes the head's names of its shapes
 * @param channels of the face that moves it
 */
export function plannedDrives(
  shapes: readonly string[],
  channels: readonly string[],
  expressions: readonly ShapeExpression[] = [],
): PlannedDrives {
  const named = drivesByName(shapes, channels, vocabularyOf(shapes));
  const hasArkit = shapes.some((shape) => shapeKey(shape) === 'jawOpen') && channels.includes('jawOpen');
  return expressions.length === 0 || hasArkit ? named : withExpressions(named, channels, expressions);
}

/** Shapes that expressions move follow the expressions' drives; the others keep the drive of their name. */
function withExpressions(
  named: PlannedDrives,
  channels: readonly string[],
  expressions: readonly ShapeExpression[],
): PlannedDrives {
  const names = expressions.map(({ name }) => name);
  const { drives, spare: spareNames } = drivesByName(names, channels, 'vrm');
  const bound = new Map<string, Map<string, number>>();
  for (const [at, { name, parts }] of expressions.entries()) {
    // Moods and clips of other names don't describe a speaking face.
    if (drives[at]!.parts.length === 0 && !spareNames.has(name)) continue;
    for (const { shape, weight } of parts) {
      const sum = bound.get(shape) ?? new Map<string, number>();
      bound.set(shape, sum);
      for (const part of drives[at]!.parts)
        sum.set(part.channel, (sum.get(part.channel) ?? 0) + weight * part.weight);
    }
  }
  if (bound.size === 0) return named;
  const spare = new Set([...named.spare].filter((shape) => !bound.has(shape)));
  const planned = named.drives.map((drive): ShapeDrive => {
    const sum = bound.get(drive.shape);
    if (!sum) return drive;
    const parts = [...sum].map(([channel, weight]) => ({ channel, weight })).slice(0, driveLimits.parts);
    if (parts.length === 0) spare.add(drive.shape);
    return { ...drive, parts };
  });
  return { vocabulary: 'vrm', drives: planned, spare };
}

function drivesByName(
  shapes: readonly string[],
  channels: readonly string[],
  vocabulary: DriveVocabulary | null,
): PlannedDrives {
  const there = new Set(channels);
  const rows = rowsByKey(vocabulary === null ? [] : driveTables[vocabulary]);
  const common = rowsByKey([...driveTables.arkit, ...driveTables.oculus]);
  // A head that has both sets is driven by one: together they would open the mouth twice.
  const hasArkit = shapes.some((shape) => shapeKey(shape) === 'jawOpen') && there.has('jawOpen');
  const own = new Set(shapes.map(keyOf));
  const spare = new Set<string>();
  const drives = shapes.map((shape): ShapeDrive => {
    const key = keyOf(shape);
    const row = rows.get(key) ?? common.get(shapeKey(shape));
    const isTwice = hasArkit && (shapeKey(shape).startsWith('viseme_') || isViseme(row));
    const isHalved = row && halves[row.name]?.every((half) => own.has(plain(half)));
    if (isTwice || isHalved) spare.add(shape);
    const parts =
      row && !isTwice && !isHalved
        ? alternativeOf(row, there)
        : there.has(shape) && !isTwice
          ? [{ channel: shape, weight: 1 }]
          : [];
    return { shape, parts, gain: 1, curve: 1 };
  });
  return { vocabulary, drives, spare };
}

/** Replaces planned drives by the person's rows. */
export function withOwnDrives(planned: readonly ShapeDrive[], own: readonly ShapeDrive[]): ShapeDrive[] {
  const byShape = new Map(own.map((drive) => [drive.shape, drive]));
  return planned.map((drive) => byShape.get(drive.shape) ?? drive);
}

/**
 * Returns the channels of a face that move nothing on a head. Gaze turns eyes by their joints, if there are
 * any.
 */
export function unheardChannels(drives: readonly ShapeDrive[], channels: readonly string[]): string[] {
  const used = new Set(drives.flatMap(({ parts }) => parts.map(({ channel }) => channel)));
  const isVisemes = [...used].some((channel) => channel.startsWith('viseme_'));
  return channels.filter((channel) => !used.has(channel) && channel.startsWith('viseme_') === isVisemes);
}

function vocabularyOf(shapes: readonly string[]): DriveVocabulary | null {
  const keys = shapes.map(keyOf);
  let best: DriveVocabulary | null = null;
  let max = fewest - 1;
  for (const vocabulary of driveVocabularies) {
    const names = rowsByKey(driveTables[vocabulary]);
    const isCommon = vocabulary === 'arkit' || vocabulary === 'oculus';
    const count = shapes.filter((shape, at) =>
      isCommon ? names.has(plain(shapeKey(shape))) : names.has(keys[at]!),
    ).length;
    if (count > max) [best, max] = [vocabulary, count];
  }
  return best;
}

const rowsByKey = (rows: readonly NameRow[]): Map<string, NameRow> =>
  new Map(rows.flatMap((row) => [[row.name, row] as const, [plain(row.name), row] as const]));

const isViseme = (row: NameRow | undefined): boolean =>
  row?.alternatives.some((parts) => parts.some(({ shape }) => shape.startsWith('viseme_'))) ?? false;

/**
 * A name without its mesh, case and punctuation: `Face.M_F00_Fcl_MTH_A` is `fclmtha`, `Mouth_Smile_L`
 * `mouthsmilel`.
 */
function keyOf(shape: string): string {
  // VRChat's names contain a dot.
  const last = shape.startsWith('vrc.') ? shape : (shape.split('.').at(-1) ?? shape);
  return plain(/Fcl_(?:MTH|EYE|BRW|ALL)_\w+$/.exec(last)?.[0] ?? last);
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the first alternative whose channels all exist, otherwise the existing part of one. */
function alternativeOf(
  { alternatives }: NameRow,
  there: ReadonlySet<string>,
): { channel: string; weight: number }[] {
  const asParts = (parts: NameRow['alternatives'][number]): { channel: string; weight: number }[] =>
    parts.filter(({ shape }) => there.has(shape)).map(({ shape, weight }) => ({ channel: shape, weight }));
  const whole = alternatives.find((parts) => parts.every(({ shape }) => there.has(shape)));
  if (whole) return asParts(whole);
  return alternatives.map(asParts).find((parts) => parts.some(({ weight }) => weight > 0)) ?? [];
}
