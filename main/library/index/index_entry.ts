import { createHash } from 'node:crypto';
import type { StatementSync } from 'node:sqlite';
import { inEnglish, type Message, storedMessage } from '@likeness/messages';
import type { modelStates } from '#contract';
import { personKey } from '../../base/person_key.ts';
import { folded } from '../../base/search/folded_text.ts';
import { type LikenessRecord, madeAtOf } from '../model/likeness_record.ts';
import { searchText } from './search_text.ts';

/** A model's folder as read from disk. */
export interface IndexEntry {
  libraryId: string;
  /** Name of the folder within the library. */
  folder: string;
  stamp: string;
  state: (typeof modelStates)[number];
  hasThumbnail: boolean;
  /** Bytes of `model.glb` as found; 0 where there is none. */
  bytes: number;
  record: LikenessRecord;
  /** Why `likeness.json` can't be read; empty if it can. The record then contains only data of the folder. */
  recordFault: Message;
}

const shortHash = (value: object): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** Photos (`personKey`) and parameters in one text; empty for a model that was not made from a photo. */
export function madeOf(person: string, parameters: LikenessRecord['parameters'], profileId: string): string {
  if (person === '') return '';
  const { sex, eyelidType, crop, corrections, options } = parameters;
  const box = crop ? [crop.x, crop.y, crop.width, crop.height].map((part) => part.toFixed(4)).join(',') : '';
  const corrected = corrections ? `~${shortHash(corrections)}` : '';
  const chosen = options ? `!${shortHash(options)}` : '';
  return [person, sex ?? '', eyelidType ?? '', box + corrected + chosen, profileId].join('|');
}

/**
 * Inserts all rows of a new model, within a transaction.
 *
 * @param known - Data that is not in its folder.
 */
export function insertEntry(
  prepare: (sql: string) => StatementSync,
  { libraryId, folder, stamp, hasThumbnail, bytes, record }: IndexEntry,
  known: { state: IndexEntry['state']; fault: Message; hasPortrait: boolean },
): void {
  const photoHash = record.photo?.sha256 ?? '';
  const { lastInsertRowid } = prepare(
    `INSERT INTO models (id, libraryId, folder, stamp, name, sortName, state, source, sex, eyelidType, profileId,
       profileName, rating, tags, createdAt, madeAt, changedAt, bytes, hasThumbnail, hasPortrait, thumbnailVersion,
       consentUntil, trashedAt, photoHash, modelHash, madeOf, fault, faultSaid, flag, remoteModelId,
       engine)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    record.id,
    libraryId,
    folder,
    stamp,
    record.name,
    folded(record.name),
    known.state,
    record.source,
    record.parameters.sex,
    record.parameters.eyelidType,
    record.profile.id,
    record.profile.name,
    record.rating,
    JSON.stringify(record.tags),
    record.createdAt,
    madeAtOf(record),
    record.changedAt,
    bytes,
    hasThumbnail ? 1 : 0,
    known.hasPortrait ? 1 : 0,
    record.thumbnailVersion,
    record.consent.until,
    record.trashedAt,
    photoHash,
    record.model.sha256,
    madeOf(
      personKey(
        photoHash,
        (record.others ?? []).map(({ sha256 }) => sha256),
      ),
      record.parameters,
      record.profile.id,
    ),
    inEnglish(known.fault),
    storedMessage(known.fault),
    record.flag,
    record.remoteModelId,
    record.engine,
  );
  const words = searchText(record, known.state);
  prepare('INSERT INTO records (row, record) VALUES (?, ?)').run(lastInsertRowid, JSON.stringify(record));
  prepare('INSERT INTO texts (row, searchText) VALUES (?, ?)').run(lastInsertRowid, words);
  prepare('INSERT INTO searched (rowid, searchText) VALUES (?, ?)').run(lastInsertRowid, words);
  for (const tag of new Set(record.tags)) {
    prepare('INSERT INTO tags (tag, row, folded) VALUES (?, ?, ?)').run(tag, lastInsertRowid, folded(tag));
  }
  for (const collection of new Set(record.collections)) {
    prepare('INSERT INTO shelved (collectionId, row) VALUES (?, ?)').run(collection, lastInsertRowid);
  }
}
