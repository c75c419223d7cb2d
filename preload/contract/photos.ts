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

/** Places in a picture, x, y, x, y … as fractions of its upright width and height; a stroke may leave it. */
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

/** What a person set right in the outline of head and hair that the built-in engine found. */
export const HeadCorrections = z.object({
  strokes: z
    .array(HairStroke)
    .max(200)
    .refine(
      (strokes) => strokes.reduce((sum, { points }) => sum + points.length, 0) <= 6000,
      'so many places',
    ),
  /** Raises the top of the head, in parts of the face's height; 0 leaves it. */
  crown: z.number().min(-correctionBounds.crown).max(correctionBounds.crown),
});
export type HeadCorrections = z.output<typeof HeadCorrections>;

/** Where the built-in engine sees head and hair end. */
export const PhotoOutline = z.object({
  /** Closed, each x, y, x, y … as fractions of the upright picture. */
  rings: z.array(z.array(z.number())),
  /** How sure the engine is, 0..1. */
  score: z.number().min(0).max(1),
  /** False where a person should look. */
  sure: z.boolean(),
});
export type PhotoOutline = z.output<typeof PhotoOutline>;

export const PhotoFinding = z.object({
  code: z.enum(findingCodes),
  /** What to expect of a head that is made in spite of this. Undefined if none can be made. */
  anyway: z.array(z.enum(expectations)).optional(),
  /** `blocking` stops this photo and no other. */
  severity: z.enum(['blocking', 'warning']),
  /** A sentence for a person. */
  message: Message,
  figure: z.number().nullable(),
  limit: z.number().nullable(),
  unit: z.string(),
});
export type PhotoFinding = z.output<typeof PhotoFinding>;

/** What became of one of the photos that a head was made of. */
export const PhotoUse = z.object({
  used: z.boolean(),
  /** Why it was not used, in both languages; null where it was, or nobody says. */
  reason: z.object({ en: z.string().max(1000), zh: z.string().max(1000) }).nullable(),
  /** What it shows by the engine's word; empty where it doesn't say. */
  view: z.string().max(30),
  /** Degrees that the head is turned; null where nobody says. */
  yaw: z.number().min(-180).max(180).nullable(),
});

/** A further photo of a person, beside the front one; what is said of the head is said of that. */
export const PhotoBeside = z.object({
  id,
  fileName: z.string(),
  /** Of a photo beside a front one: that it is turned speaks not against it. */
  check: z.enum(['pending', 'ok', 'warning', 'blocked']),
  findings: z.array(PhotoFinding),
  /** Degrees that the head is turned to its left; null until somebody has measured it. */
  yaw: z.number().nullable(),
});
export type PhotoBeside = z.output<typeof PhotoBeside>;

/** A photo in the tray: taken in, tagged and checked, not yet queued. */
export const Photo = z.object({
  id,
  fileName: z.string(),
  /** Folder below what was dropped or picked, with `/`; empty at the top. */
  folder: z.string(),
  format: z.string(),
  bytes: z.number().int(),
  /** Upright, after EXIF orientation. 0 until the photo was checked. */
  width: z.number().int(),
  height: z.number().int(),
  addedAt: time,
  /** As the person stated it; null until then. Never guessed. */
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
  /** For servers that can take it; null: the outline as it is found. */
  corrections: HeadCorrections.nullable(),
  /** What was chosen of the head, as far as it differs from the usual; for servers that can take it. */
  options: HeadOptionsSchema.nullable(),
  /** The person wants a head although the check speaks against it; only the built-in engine takes that. */
  anyway: z.boolean(),
  /** Degrees that the head is turned to its left; null until somebody has measured it. */
  yaw: z.number().nullable(),
  /** Further photos of the same person, which go with this one; this is the front one then. */
  others: z.array(PhotoBeside).max(maxPhotosPerPerson - 1),
  /** A model made of this photo with these parameters, by any profile; null where there is none. */
  inLibrary: id.nullable(),
  state: z.enum(photoStates),
});
export type Photo = z.output<typeof Photo>;

export const PhotoFilter = z.object({
  text: z.string().max(200).optional(),
  sex: z.enum(['female', 'male', 'unset']).optional(),
  /** `usable`: whatever is not blocked. */
  check: z.enum([...Photo.shape.check.options, 'usable']).optional(),
  folder: z.string().max(1000).optional(),
  /** Order; `name`, that of the file, where none is given. */
  sort: z.enum(photoSorts).optional(),
});
export type PhotoFilter = z.output<typeof PhotoFilter>;

/** Either these, or all that a filter lets through. */
export const PhotoSelection = z.union([
  z.object({ ids }).strict(),
  z.object({ filter: PhotoFilter }).strict(),
]);

/** Photos that are to be one person. */
export const PersonOfPhotos = z.object({
  ids: z.array(id).min(2).max(maxPhotosPerPerson),
  /** Which of them leads; without it the studio chooses. */
  front: id.optional(),
  /** What the head is to be called. */
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
  /** The same in a sentence. */
  problem: Message,
});

/**
 * The result of reading a manifest: photos it listed, fields it set on how many, and what could not be used.
 */
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
  /** The first 200 that were not taken in, by name, with a sentence each. */
  examples: z.array(z.object({ fileName: z.string(), reason: z.enum(skipReasons), detail: Message })),
  /**
   * Manifests that were read: those found beside the photos or given on their own.
   */
  manifests: z.array(ManifestTaken.extend({ fileName: z.string() })),
  /** People whose photos were put together by names that say their views; as one step that can be taken back. */
  people: z.number().int(),
  message: Message,
});
export type PhotoImport = z.output<typeof PhotoImport>;
