import type { SQLOutputValue } from 'node:sqlite';
import { restoredMessage } from '@likeness/messages';
import { builtInProfileId, type Model, type ModelCard } from '#contract';
import { type LikenessRecord, madeAtOf, versionOf } from '../model/likeness_record.ts';
import { engineNumber } from './engine_age.ts';

/** A model's location, and the stamp of its folder. */
export interface Placed {
  id: string;
  libraryId: string;
  folder: string;
  stamp: string;
}

export type IndexRow = Record<string, SQLOutputValue>;

/**
 * @param now - Milliseconds since 1970: earlier end dates of consents have expired.
 * @param engine - Number of the built-in engine: a head of a lower one is outdated.
 */
export function cardOf(row: IndexRow, now: number, engine: number): ModelCard {
  const madeBy = engineNumber(String(row.engine));
  const consentUntil = row.consentUntil === null ? null : Number(row.consentUntil);
  return {
    id: String(row.id),
    libraryId: String(row.libraryId),
    name: String(row.name),
    state: row.state as ModelCard['state'],
    source: row.source as ModelCard['source'],
    sex: row.sex as ModelCard['sex'],
    eyelidType: row.eyelidType as ModelCard['eyelidType'],
    profileId: String(row.profileId),
    profileName: String(row.profileName),
    rating: Number(row.rating),
    flag: row.flag as ModelCard['flag'],
    tags: JSON.parse(String(row.tags)) as string[],
    createdAt: Number(row.createdAt),
    madeAt: Number(row.madeAt),
    changedAt: Number(row.changedAt),
    bytes: Number(row.bytes),
    hasThumbnail: row.hasThumbnail === 1,
    hasPortrait: row.hasPortrait === 1,
    version: Number(row.thumbnailVersion),
    consentExpired: consentUntil !== null && consentUntil < now,
    outdated:
      row.source === 'portrait' && row.profileId === builtInProfileId && madeBy > 0 && madeBy < engine,
    trashedAt: row.trashedAt === null ? null : Number(row.trashedAt),
    fault: restoredMessage(String(row.fault), row.faultSaid),
  };
}

export const asPlaced = (row: IndexRow): Placed => ({
  id: String(row.id),
  libraryId: String(row.libraryId),
  folder: String(row.folder),
  stamp: String(row.stamp),
});

/** @param row - Of a model, with its record as JSON. */
export function modelOf(row: IndexRow, now: number, engine: number): Model {
  const record = JSON.parse(String(row.record)) as LikenessRecord;
  return {
    ...cardOf(row, now, engine),
    fileName: record.fileName,
    notes: record.notes,
    collections: record.collections,
    consent: record.consent,
    // Missing in records from before a head could be made from several photos.
    photos: [record, ...(record.others ?? [])].map(({ fileName }, index) => ({
      fileName,
      use: record.photoUses?.[index] ?? null,
    })),
    photoHash: record.photo?.sha256 ?? '',
    crop: record.parameters.crop,
    options: record.parameters.options ?? null,
    engine: String(row.engine),
    // Missing in records from before files contained it.
    glasses: record.glasses ?? null,
    uncertain: record.uncertaintyAnswered ? [] : (record.uncertain ?? []),
    earlier: (record.earlier ?? []).map((making) => ({
      id: versionOf(record.id, making),
      madeAt: madeAtOf({ ...record, madeAt: making.madeAt }),
      engine: making.engine,
      profileName: making.profile.name,
      bytes: making.model.bytes,
      options: making.parameters.options,
    })),
    // Missing in older records.
    overridden: record.overridden ?? [],
    remoteModelId: record.remoteModelId,
    timings: record.timings,
    cost: record.cost,
    currency: record.currency,
  };
}
