import { driveLimits } from '@likeness/proto/face/shape_drives.ts';
import type { HeadDrives } from '../../../preload/contract.ts';

export type Part = DriveRow['parts'][number];

/** Parses typed parts; null if they are invalid. */
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

export type DriveRow = HeadDrives['rows'][number];
