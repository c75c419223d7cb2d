import { driveLimits } from '@likeness/proto/face/shape_drives.ts';
import { type DriveRow, type Part, partsOf } from './drive-parts.ts';

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
