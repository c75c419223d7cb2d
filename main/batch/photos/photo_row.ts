import type { SQLOutputValue } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Crop } from '@likeness/proto/crop.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { Photo, PhotoFilter, PhotoFinding } from '#contract';

/** A photo found on disk. */
export interface FoundPhoto {
  id: string;
  /** Absolute. */
  path: string;
  /** True if the file is in the batch's folder and is deleted with its row. */
  owned: boolean;
  fileName: string;
  folder: string;
  format: string;
  bytes: number;
  sha256: string;
}

/** A file whose content is already in the list. */
export interface Duplicate {
  fileName: string;
  /** File name and id of the existing photo. */
  of: string;
  ofId: string;
  /** True for the same file, false for a copy with the same content. */
  itself: boolean;
}

/** Result of the local check. */
export interface PhotoCheck {
  /** Pixels, upright. */
  width: number;
  height: number;
  findings: PhotoFinding[];
  face: Crop | null;
  suggestedCrop: Crop | null;
  /** Yaw of the head, degrees; undefined if it was not measured. */
  yaw?: number | null;
}

/** A photo as stored on disk. */
export type PhotoRow = Omit<Photo, 'inLibrary' | 'others' | 'state'> & {
  path: string;
  sha256: string;
  /** The front photo of the same person; null: this photo stands alone or is the front photo. */
  frontId: string | null;
  /** False: it was queued or removed. Its row stays for its jobs and for undo. */
  isImported: boolean;
  /** The user chose this photo as the front photo. */
  frontChosen: boolean;
};

/** Fields of a photo that the user edits. */
const tagNames = ['sex', 'eyelidType', 'name', 'tags', 'crop', 'corrections', 'options', 'anyway'] as const;
export type PhotoTags = Partial<Pick<PhotoRow, (typeof tagNames)[number]>>;

export type PhotoSelection = { ids: string[] } | { filter: PhotoFilter };

export const tagsOf = (photo: PhotoRow): Required<PhotoTags> =>
  Object.fromEntries(tagNames.map((name) => [name, photo[name]])) as Required<PhotoTags>;

/** Returns the fields that would change. */
export const fieldsChanged = (photo: PhotoRow, set: PhotoTags): (keyof PhotoTags)[] =>
  tagNames.filter((name) => set[name] !== undefined && !isDeepStrictEqual(photo[name], set[name]));

export function asPhoto(row: Record<string, SQLOutputValue>): PhotoRow {
  const parsed = (value: SQLOutputValue | undefined): unknown =>
    typeof value === 'string' ? JSON.parse(value) : null;
  return {
    id: String(row.id),
    path: String(row.path),
    sha256: String(row.sha256),
    fileName: String(row.fileName),
    folder: String(row.folder),
    format: String(row.format),
    bytes: Number(row.bytes),
    width: Number(row.width),
    height: Number(row.height),
    addedAt: Number(row.addedAt),
    sex: row.sex as PhotoRow['sex'],
    eyelidType: row.eyelidType as PhotoRow['eyelidType'],
    name: String(row.name),
    tags: parsed(row.tags) as string[],
    check: row.check as PhotoRow['check'],
    findings: parsed(row.findings) as PhotoFinding[],
    face: parsed(row.face) as Crop | null,
    suggestedCrop: parsed(row.suggestedCrop) as Crop | null,
    crop: parsed(row.crop) as Crop | null,
    corrections: parsed(row.corrections) as HeadCorrections | null,
    options: parsed(row.options) as HeadOptions | null,
    anyway: row.anyway === 1,
    yaw: row.yaw === null ? null : Number(row.yaw),
    frontId: row.frontId === null ? null : String(row.frontId),
    frontChosen: row.frontChosen === 1,
    isImported: row.inTray === 1,
  };
}
