import type { HeadDrives } from '#contract';
import { driveLimits } from '#proto/shape_drives.ts';

export type DriveRow = HeadDrives['rows'][number];
type Part = DriveRow['parts'][number];

/** A row as it is typed. */
export interface TypedRow {
  shape: string;
  parts: string;
  gain: string;
  curve: string;
  isOwn: boolean;
}

export const typedRow = ({ shape, parts, gain, curve, isOwn }: DriveRow): TypedRow => ({
  shape,
  parts: partsText(parts),
  gain: String(gain),
  curve: String(curve),
  isOwn,
});

/** `viseme_aa, jawOpen 0.4`: a weight of 1 goes without saying. */
const partsText = (parts: readonly Part[]): string =>
  parts.map(({ channel, weight }) => (weight === 1 ? channel : `${channel} ${weight}`)).join(', ');

/** What was typed as parts; null where it isn't understood. */
export function partsOf(text: string): Part[] | null {
  const words = text
    .split(/[,，;]/)
    .map((part) => part.trim())
    .filter(Boolean);
  const parts = words.map((part): Part | null => {
    const [, channel, weight = '1'] = /^(\S+)(?:\s+(-?\d*\.?\d+))?$/.exec(part) ?? [];
    const number = Number(weight);
    const isFit = channel && channel.length <= driveLimits.name && Math.abs(number) <= driveLimits.weight;
    return isFit ? { channel, weight: number } : null;
  });
  return parts.length <= driveLimits.parts && parts.every((part) => part !== null) ? parts : null;
}

const within = (text: string, { least, most }: { least: number; most: number }): number | null => {
  const value = Number(text.replace(',', '.'));
  return text.trim() !== '' && value >= least && value <= most ? value : null;
};

/** Null where a field isn't understood. */
export function driveOf({ shape, parts, gain, curve }: TypedRow): Omit<DriveRow, 'isOwn'> | null {
  const [found, factor, exponent] = [
    partsOf(parts),
    within(gain, driveLimits.gain),
    within(curve, driveLimits.curve),
  ];
  return found && factor !== null && exponent !== null
    ? { shape, parts: found, gain: factor, curve: exponent }
    : null;
}
