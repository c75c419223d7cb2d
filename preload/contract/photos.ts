import { correctionBounds } from '@likeness/proto/heads/head_corrections.ts';
import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';
import { maxPhotosPerPerson } from '@likeness/proto/heads/person_photos.ts';
import { z } from 'zod';
import {
  expectations,
  eyelidTypes,
  findingCodes,
  manifestFaults,
  personSigns,
  photoSorts,
  photoStates,
  sexes,
  skipReasons,
} from './constants.ts';
import { Box, id, ids, name, time } from './fields.ts';
import { Message } from './studio_error.ts';

const { photo: onPhoto } = correctionBounds;

/**
 * Points in a picture, x, y, x, y … as fractions of its upright width and height; a stroke may leave the
 * picture.
 */
const points = z
  .array(z.number().min(onPhoto.least).max(onPhoto.most))
  .min(2)
  .max(4000)
  .refine(({ length }) => length % 2 === 0, 'x without its y');

const HairStroke = z.object({
  kind: z.enum(['hair', 'background']),
  /** Fraction of the picture's width. */
  radius: z.number().positive().max(onPhoto.radius),
  points,
});

/** The user's corrections to the built-in engine's outline of head and hair. */
export const HeadCorrections = z.object({
  strokes: z
    .array(HairStroke)
    .max(200)
    .refine(
      (strokes) => strokes.reduce((sum, { points }) => sum + points.length, 0) <= 6000,
      'so many places',
    ),
  /** Raises the top of the head, in fractions of the face's height; 0: unchanged. */
  crown: z.number().min(-correctionBounds.crown).max(correctionBounds.crown),
});
export type HeadCorrections = z.output<typeof HeadCorrections>;

/** Outline of head and hair from the built-in engine. */
export const PhotoOutline = z.object({
  /** Closed, each x, y, x, y … as fractions of the upright picture. */
  rings: z.array(z.array(z.number())),
  /** The engine's confidence, 0..1. */
  score: z.number().min(0).max(1),
  /** False if the user should check it. */
  sure: z.boolean(),
});
export type PhotoOutline = z.output<typeof PhotoOutline>;

export const PhotoFinding = z.object({
  code: z.enum(findingCodes),
  /** Flaws to expect in a head despite this finding. Undefined if none can be made. */
  anyway: z.array(z.enum(expectations)).optional(),
  /** `blocking` stops only this photo. */
  severity: z.enum(['blocking', 'warning']),
  /** A sentence for the user. */
  message: Message,
  figure: z.number().nullable(),
  limit: z.number().nullable(),
  unit: z.string(),
});
export type PhotoFinding = z.output<typeof PhotoFinding>;

/** How one of a head's photos was used. */
export const PhotoUse = z.object({
  used: z.boolean(),
  /** Why it was not used, in both languages; null if it was, or unknown. */
  reason: z.object({ en: z.string().max(1000), zh: z.string().max(1000) }).nullable(),
  /** Its view according to the engine; empty if unknown. */
  view: z.string().max(30),
  /** Yaw of the head, degrees; null if unknown. */
  yaw: z.number().min(-180).max(180).nullable(),
});

/** An additional photo of a person; the front photo has the settings of the head. */
export const PhotoBeside = z.object({
  id,
  fileName: z.string(),
  /** In an additional photo, a turned head is not a problem. */
  check: z.enum(['pending', 'ok', 'warning', 'blocked']),
  findings: z.array(PhotoFinding),
  /** Yaw of the head to its left, degrees; null until measured. */
  yaw: z.number().nullable(),
});
export type PhotoBeside = z.output<typeof PhotoBeside>;

/** A photo in the list: imported, tagged and checked, but not queued. */
export const Photo = z.object({
  id,
  fileName: z.string(),
  /** Folder relative to the dropped or picked one, with `/`; empty at the top. */
  folder: z.string(),
  format: z.string(),
  bytes: z.number().int(),
  /** Upright, after EXIF orientation. 0 until the photo was checked. */
  width: z.number().int(),
  height: z.number().int(),
  addedAt: time,
  /** As the user entered it; null until then. Never guessed. */
  sex: z.enum(sexes).nullable(),
  eyelidType: z.enum(eyelidTypes).nullable(),
  name: z.string(),
  tags: z.array(z.string()),
  check: z.enum(['pending', 'ok', 'warning', 'blocked']),
  findings: z.array(PhotoFinding),
  face: Box.nullable(),
  /** A crop that would make a better head; null if the photo is fine as it is. */
  suggestedCrop: Box.nullable(),
  /** The crop that will be sent; null: the whole photo. */
  crop: Box.nullable(),
  /** For servers that support corrections; null: the detected outline. */
  corrections: HeadCorrections.nullable(),
  /** Head options that differ from the defaults; for servers that support them. */
  options: HeadOptionsSchema.nullable(),
  /** The user wants a head despite the findings; only the built-in engine supports that. */
  anyway: z.boolean(),
  /** Yaw of the head to its left, degrees; null until measured. */
  yaw: z.number().nullable(),
  /** Additional photos of the same person, sent with this front photo. */
  others: z.array(PhotoBeside).max(maxPhotosPerPerson - 1),
  /** A model of this photo with these parameters, from any profile; null if there is none. */
  inLibrary: id.nullable(),
  state: z.enum(photoStates),
});
export type Photo = z.output<typeof Photo>;

export const PhotoFilter = z.object({
  text: z.string().max(200).optional(),
  sex: z.enum(['female', 'male', 'unset']).optional(),
  /** `usable`: all that are not blocked. */
  check: z.enum([...Photo.shape.check.options, 'usable']).optional(),
  folder: z.string().max(1000).optional(),
  /** Order; `name`, that of the file, where none is given. */
  sort: z.enum(photoSorts).optional(),
});
export type PhotoFilter = z.output<typeof PhotoFilter>;

/** Either these, or all that match a filter. */
export const PhotoSelection = z.union([
  z.object({ ids }).strict(),
  z.object({ filter: PhotoFilter }).strict(),
]);

/** Photos to group into one person. */
export const PersonOfPhotos = z.object({
  ids: z.array(id).min(2).max(maxPhotosPerPerson),
  /** The front photo; by default the studio chooses. */
  front: id.optional(),
  /** The name of the head. */
  name: name.optional(),
});
export type PersonOfPhotos = z.output<typeof PersonOfPhotos>;

/** Photos that may be of one person. */
export const SuggestedPerson = PersonOfPhotos.extend({
  name,
  by: z.enum(personSigns),
  fileNames: z.array(z.string()),
});
export type SuggestedPerson = z.output<typeof SuggestedPerson>;

const ManifestProblem = z.object({
  /** 1-based, as a text editor counts. */
  line: z.number().int().positive(),
  column: z.number().int().positive(),
  fault: z.enum(manifestFaults),
  value: z.string(),
  /** The same as a sentence. */
  problem: Message,
});

/** The result of reading a manifest: its photos, how many each field changed, and its problems. */
export const ManifestTaken = z.object({
  applied: z.number().int(),
  set: z.object({
    sex: z.number().int(),
    eyelidType: z.number().int(),
    name: z.number().int(),
    tags: z.number().int(),
    options: z.number().int(),
    person: z.number().int(),
  }),
  problems: z.array(ManifestProblem),
});

export const PhotoImport = z.object({
  id,
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  found: z.number().int(),
  added: z.number().int(),
  skipped: z.array(z.object({ reason: z.enum(skipReasons), count: z.number().int() })),
  /** The first 200 refused files, by name, with a sentence each. */
  examples: z.array(z.object({ fileName: z.string(), reason: z.enum(skipReasons), detail: Message })),
  /**
   * Manifests that were read: those found beside the photos or given on their own.
   */
  manifests: z.array(ManifestTaken.extend({ fileName: z.string() })),
  /** People grouped by the views in their photos' names; one undo step. */
  people: z.number().int(),
  message: Message,
});
export type PhotoImport = z.output<typeof PhotoImport>;
