import { randomUUID } from 'node:crypto';
import { type KeyedMessage, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';
import { maxPhotosPerPerson } from '@likeness/proto/heads/person_photos.ts';
import { uncertainParts } from '@likeness/proto/heads/photo_findings.ts';
import { z } from 'zod';
import { findingCodes, flags, HeadCorrections, PhotoUse } from '#contract';

/** Version of `likeness.json` that this studio writes. Files of a higher version are never changed. */
const recordVersion = 1;

const text = (max: number) => z.string().max(max).catch('');
const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const moment = z.number().int().nonnegative();

/** Metadata of one version of a head: its file, its maker and its sources. */
const making = {
  model: z
    .object({ sha256: text(64), bytes: z.number().int().nonnegative().catch(0) })
    .catch({ sha256: '', bytes: 0 }),
  parameters: z
    .object({
      sex: z.enum(['female', 'male']).nullable().catch(null),
      eyelidType: z.enum(['single', 'double']).nullable().catch(null),
      crop: Box.nullable().catch(null),
      corrections: HeadCorrections.nullable().catch(null),
      options: HeadOptionsSchema.nullable().catch(null),
    })
    .catch({ sex: null, eyelidType: null, crop: null, corrections: null, options: null }),
  overridden: z.array(z.enum(findingCodes)).max(findingCodes.length).catch([]),
  profile: z.object({ id: text(64), name: text(80) }).catch({ id: '', name: '' }),
  remoteModelId: text(1024),
  timings: z
    .object({
      submittedAt: moment.nullable().catch(null),
      doneAt: moment.nullable().catch(null),
      seconds: z.number().nonnegative().nullable().catch(null),
    })
    .catch({ submittedAt: null, doneAt: null, seconds: null }),
  /** How each photo was used, the front one first; null if the server did not report it. */
  photoUses: z.array(PhotoUse).max(maxPhotosPerPerson).nullable().catch(null),
  cost: z.number().nonnegative().catch(0),
  currency: text(3),
  /** Id of this version; empty: the first one, with the model's own id. */
  making: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,64}$/)
    .catch(''),
  /** When the file came; 0: with the model. */
  madeAt: moment.catch(0),
  /** The engine that made the file, such as `portrait-13`; empty if unknown. */
  engine: text(60),
  /** Whether the photo shows glasses, according to the file; null if unknown. */
  glasses: z.boolean().nullable().catch(null),
  /** Parts that the engine is unsure of, according to the file. */
  uncertain: z.array(z.enum(uncertainParts)).catch([]),
};

/** When the current file was made: the library shows it, sorts by it and searches it. */
export const madeAtOf = ({ madeAt, createdAt }: Pick<LikenessRecord, 'madeAt' | 'createdAt'>): number =>
  madeAt || createdAt;

const Making = z.object(making);
/** A version of a head; the latest one is part of its record. */
export type Making = z.output<typeof Making>;

const makingNames = Object.keys(making) as (keyof Making)[];

/** Returns the version in a record. */
export const makingOf = (record: Making): Making =>
  Object.fromEntries(makingNames.map((name) => [name, record[name]])) as unknown as Making;

/** Returns the id of a version; the first one has the model's own id. */
export const versionOf = (id: string, { making }: Pick<Making, 'making'>): string => making || id;

/** Maximum number of earlier files of a head; the oldest are deleted. */
export const maxEarlierVersions = 50;

/**
 * `likeness.json`: all data about a model that is not in its other files. The index is derived from it. Users
 * may edit it, so a missing or invalid field gets a default and does not reject the model.
 */
export const LikenessRecord = z.object({
  schema: z.number().int().min(1).max(recordVersion),
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .catch(() => randomUUID()),
  name: z.string().trim().min(1).max(200).catch('unnamed'),
  source: z.enum(['portrait', 'import']).catch('import'),
  /** Milliseconds since 1970, as all times here. */
  createdAt: moment.catch(0),
  changedAt: moment.catch(0),
  /** Name of the photo, or of the file that was imported. */
  fileName: text(400),
  ...making,
  photo: z
    .object({
      sha256: text(64),
      /** Its name within the model's folder; null where only `reference` is kept. */
      file: z
        .string()
        .regex(/^portrait\.[a-z0-9]{2,5}$/)
        .nullable()
        .catch(null),
      /** Absolute path of the original; null if a copy is kept. */
      reference: z.string().max(4096).nullable().catch(null),
    })
    .nullable()
    .catch(null),
  /** Additional photos of the person, besides the front one. */
  others: z
    .array(
      z.object({
        sha256: text(64),
        fileName: text(400),
        crop: Box.nullable().catch(null),
        file: z
          .string()
          .regex(/^portrait-[2-8]\.[a-z0-9]{2,5}$/)
          .nullable()
          .catch(null),
        reference: z.string().max(4096).nullable().catch(null),
      }),
    )
    .max(maxPhotosPerPerson - 1)
    .catch([]),
  rating: z.number().int().min(0).max(5).catch(0),
  flag: z.enum(flags).nullable().catch(null),
  tags: z.array(z.string().trim().min(1).max(60)).max(50).catch([]),
  notes: text(20_000),
  collections: z
    .array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/))
    .max(500)
    .catch([]),
  consent: z
    .object({ who: text(200), basis: text(500), until: moment.nullable().catch(null) })
    .catch({ who: '', basis: '', until: null }),
  trashedAt: moment.nullable().catch(null),
  /** The user has answered the engine's question: it is not shown again. */
  uncertaintyAnswered: z.boolean().catch(false),
  /** Earlier versions, by their files in `earlier/`; latest first. */
  earlier: z.array(Making).max(maxEarlierVersions).catch([]),
  /** Changes with the thumbnail. */
  thumbnailVersion: z.number().int().nonnegative().catch(0),
});
export type LikenessRecord = z.output<typeof LikenessRecord>;

/** An empty record with only the given fields. */
export function newRecord(
  given: Pick<LikenessRecord, 'id' | 'name' | 'source' | 'createdAt'> & Partial<LikenessRecord>,
): LikenessRecord {
  return LikenessRecord.parse({ schema: recordVersion, changedAt: given.createdAt, ...given });
}

/**
 * Parses a `likeness.json`.
 *
 * @throws Failure `storage`: not JSON, not a record, or from a newer studio.
 */
export function parseRecord(json: string): LikenessRecord {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw unreadable(t('record.not_json'));
  }
  const version = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  if (typeof version === 'number' && version > recordVersion) {
    throw new Failure('storage', t('record.newer', { version }), {
      hint: t('record.update'),
    });
  }
  const parsed = LikenessRecord.safeParse(value);
  if (!parsed.success) throw unreadable(t('record.no_record'));
  return parsed.data;
}

export const recordText = (record: LikenessRecord): string => `${JSON.stringify(record, null, 2)}\n`;

function unreadable(why: KeyedMessage): Failure {
  return new Failure('storage', t('record.unreadable', { why }), {
    hint: t('record.put_right'),
  });
}
