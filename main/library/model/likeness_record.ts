import { randomUUID } from 'node:crypto';
import { type Sentence, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';
import { maxPhotosPerPerson } from '@likeness/proto/heads/person_photos.ts';
import { z } from 'zod';
import { findingCodes, flags, HeadCorrections, PhotoUse } from '#contract';

/** Version of `likeness.json` that this studio writes. A higher one is never touched. */
const recordVersion = 1;

const text = (max: number) => z.string().max(max).catch('');
const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const moment = z.number().int().nonnegative();

/** What is known of one making of a head: which file it gave, by what and of what. */
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
  /** What became of each photo, the front one first; null where nobody said. */
  photoUses: z.array(PhotoUse).max(maxPhotosPerPerson).nullable().catch(null),
  cost: z.number().nonnegative().catch(0),
  currency: text(3),
  /** Names this making; empty: the first one, by the model's own id. */
  making: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,64}$/)
    .catch(''),
  /** When the file came; 0: with the model. */
  madeAt: moment.catch(0),
  /** Which engine made the file, by its own word, such as `portrait-13`; empty where it doesn't say. */
  engine: text(60),
  /** Whether the photo shows glasses, by the file's own word; null where it doesn't say. */
  glasses: z.boolean().nullable().catch(null),
};

/** When the present file was made: what the library shows, sorts by and finds. */
export const madeAtOf = ({ madeAt, createdAt }: Pick<LikenessRecord, 'madeAt' | 'createdAt'>): number =>
  madeAt || createdAt;

const Making = z.object(making);
/** A making of a head; the latest one is part of its record. */
export type Making = z.output<typeof Making>;

const makingNames = Object.keys(making) as (keyof Making)[];

/** The making out of a record. */
export const makingOf = (record: Making): Making =>
  Object.fromEntries(makingNames.map((name) => [name, record[name]])) as unknown as Making;

/** Names a making; the first one bears the model's own id. */
export const versionOf = (id: string, { making }: Pick<Making, 'making'>): string => making || id;

/** Earlier files of a head that are kept at most; the oldest go. */
export const maxEarlierVersions = 50;

/**
 * `likeness.json`: everything about a model that is not in its other files. It is the truth; the index is
 * made from it. People may edit it by hand, so what is missing or odd gets a default instead of refusing the
 * model.
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
      /** Absolute path of the original; null where a copy is kept. */
      reference: z.string().max(4096).nullable().catch(null),
    })
    .nullable()
    .catch(null),
  /** Further photos of the person, beside the front one. */
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
  /** Makings before the latest, by their files in `earlier/`; the latest first. */
  earlier: z.array(Making).max(maxEarlierVersions).catch([]),
  /** Changes with the thumbnail. */
  thumbnailVersion: z.number().int().nonnegative().catch(0),
});
export type LikenessRecord = z.output<typeof LikenessRecord>;

/** A record with nothing in it but what is given. */
export function newRecord(
  given: Pick<LikenessRecord, 'id' | 'name' | 'source' | 'createdAt'> & Partial<LikenessRecord>,
): LikenessRecord {
  return LikenessRecord.parse({ schema: recordVersion, changedAt: given.createdAt, ...given });
}

/**
 * Reads the text of a `likeness.json`.
 *
 * @throws Failure `storage`: not JSON, not a record, or one of a newer studio.
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

function unreadable(why: Sentence): Failure {
  return new Failure('storage', t('record.unreadable', { why }), {
    hint: t('record.put_right'),
  });
}
