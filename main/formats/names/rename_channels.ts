import type { PlayableFace } from '#proto/take_stream.ts';
import { type NameTable, planNames, shapeKey } from './name_table.ts';
import type { RenameOptions } from './rename_targets.ts';

/** A take's face under other names. */
export interface RenamedFace {
  face: PlayableFace;
  /**
   * Names that no channel drives: sums of several shapes (the shapes move already), or of none that the take
   * has.
   */
  still: readonly string[];
  /** Channels that no name of the table uses: they keep their own name, or are left out. */
  unused: readonly string[];
}

/**
 * Gives the channels of a take the names of a vocabulary, as `renameTargets` gives them to a head's shapes. A
 * channel of which the vocabulary has several parts (`Cheek_Puff_L`, `Cheek_Puff_R`) drives each of them:
 * together they are the whole.
 */
export function renameChannels(
  face: PlayableFace,
  table: NameTable,
  { others = 'keep' }: RenameOptions = {},
): RenamedFace {
  const { made, missing, unused } = planNames(face.channelNames, table);
  const places = new Map(face.channelNames.map((name, place) => [shapeKey(name), place]));
  const driven = made.flatMap(({ name, parts }) => {
    const from = parts.length === 1 ? places.get(shapeKey(parts[0]!.shape)) : undefined;
    return from === undefined ? [] : [{ name, from }];
  });
  const names = new Set(driven.map(({ name }) => name));
  const kept = face.channelNames.flatMap((name, from) => {
    const isOwn = driven.some((one) => one.from === from) || names.has(name);
    return others === 'keep' && !isOwn ? [{ name, from }] : [];
  });
  const channels = [...driven, ...kept];
  const still = made.flatMap(({ name, parts }) => (names.has(name) || parts.length === 0 ? [] : [name]));
  return {
    face: {
      ...face,
      channelNames: channels.map(({ name }) => name),
      frames: face.frames.map((frame) => ({
        ...frame,
        weights: Float32Array.from(channels, ({ from }) => frame.weights[from]!),
      })),
    },
    still: [...still, ...missing.map(({ name }) => name)],
    unused,
  };
}
