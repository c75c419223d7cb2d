/** An expression over speech: keys of presets, blended so that a closed mouth stays closed. */

import { contactChannels, lipOpening, shutOpening } from '../closures.ts';
import { builtInExpressions } from './built_in_expressions.ts';
import { eased, keyBefore } from './drawn_curve.ts';
import type { ExpressionKey, TakeEdits } from './take_edits.ts';

/** Lips that are apart by this much more than shut ones take the whole expression. */
const openingRamp = 0.12;

/** Expressions at a time with their weights, 0..1. */
function expressionsAt(keys: readonly ExpressionKey[], time: number): { preset: string; weight: number }[] {
  const at = keyBefore(keys, time);
  const [key, next] = [keys[Math.max(0, at)], keys[at + 1]];
  if (!key) return [];
  if (at < 0 || !next) return [{ preset: key.preset, weight: key.weight }];
  const share = eased((time - key.time) / (next.time - key.time), key.to);
  // Laid one over the other, two halves of the same expression would be less than the whole.
  if (next.preset === key.preset)
    return [{ preset: key.preset, weight: key.weight + (next.weight - key.weight) * share }];
  return [
    { preset: key.preset, weight: key.weight * (1 - share) },
    { preset: next.preset, weight: next.weight * share },
  ];
}

interface PlacedWeight {
  readonly channel: number;
  readonly weight: number;
  /** It parts the lips. */
  readonly isParting: boolean;
}

export type ExpressionBlend = (weights: Float32Array, time: number) => void;

/** Writes the expressions of a time over a frame's weights. */
export function expressionBlend(
  { expressions, presets }: Pick<TakeEdits, 'expressions' | 'presets'>,
  channelNames: readonly string[],
): ExpressionBlend {
  const channels = contactChannels(channelNames);
  const partingChannels = new Set([
    channels.jawOpen,
    ...channels.parting,
    ...channels.rounding,
    channelNames.indexOf('mouthStretchLeft'),
    channelNames.indexOf('mouthStretchRight'),
  ]);
  const placed = new Map<string, PlacedWeight[]>();
  const placedOf = (name: string): PlacedWeight[] => {
    const builtIn: Readonly<Record<string, Readonly<Record<string, number>>>> = builtInExpressions;
    const weights = Object.hasOwn(presets, name) ? presets[name]! : (builtIn[name] ?? {});
    const made = Object.entries(weights).flatMap(([channel, weight]) => {
      const index = channelNames.indexOf(channel);
      return index < 0
        ? []
        : [{ channel: index, weight, isParting: partingChannels.has(index) && weight > 0 }];
    });
    placed.set(name, made);
    return made;
  };
  return (weights, time) => {
    const opening = channels.jawOpen < 0 ? 1 : lipOpening(weights, channels);
    const open = Math.min(1, Math.max(0, (opening - shutOpening) / openingRamp));
    for (const { preset, weight: share } of expressionsAt(expressions, time)) {
      if (share === 0) continue;
      for (const { channel, weight, isParting } of placed.get(preset) ?? placedOf(preset)) {
        const wanted = weight * share * (isParting ? open : 1);
        const is = weights[channel]!;
        // Towards what is left of the way, so that speech and expression together stay within 0 and 1.
        weights[channel] = wanted >= 0 ? is + Math.max(0, 1 - is) * wanted : is + Math.max(0, is) * wanted;
      }
    }
  };
}
