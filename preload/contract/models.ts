import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';
import { uncertainParts } from '@likeness/proto/heads/photo_findings.ts';
import { z } from 'zod';
import { eyelidTypes, findingCodes, flags, modelSources, modelStates, sexes } from './constants.ts';
import { Box, id, ids, time } from './fields.ts';
import { PhotoUse } from './photos.ts';
import { Message } from './studio_error.ts';

export const Consent = z.object({
  who: z.string().max(200),
  basis: z.string().max(500),
  until: time.nullable(),
});

/** A model in grid and list. */
export const ModelCard = z.object({
  id,
  libraryId: id,
  name: z.string(),
  state: z.enum(modelStates),
  source: z.enum(modelSources),
  sex: z.enum(sexes).nullable(),
  eyelidType: z.enum(eyelidTypes).nullable(),
  profileId: z.string(),
  profileName: z.string(),
  rating: z.number().int().min(0).max(5),
  flag: z.enum(flags).nullable(),
  tags: z.array(z.string()),
  createdAt: time,
  /** When the current file was made: a remade head is older (`createdAt`). */
  madeAt: time,
  changedAt: time,
  /** Of `model.glb`. */
  bytes: z.number().int(),
  hasThumbnail: z.boolean(),
  hasPortrait: z.boolean(),
  /** Changes with the thumbnail; put it into the URL to bypass the cache. */
  version: z.number().int(),
  consentExpired: z.boolean(),
  /** Made by an older version of the built-in engine. */
  outdated: z.boolean(),
  trashedAt: time.nullable(),
  /** The problem of its file or record, as a sentence; empty if none, or not checked. */
  fault: Message,
});
export type ModelCard = z.output<typeof ModelCard>;

/** An earlier file of a head. */
export const EarlierVersion = z.object({
  id,
  madeAt: time,
  engine: z.string(),
  profileName: z.string(),
  bytes: z.number().int(),
  options: HeadOptionsSchema.nullable(),
});
export type EarlierVersion = z.output<typeof EarlierVersion>;

export const Model = ModelCard.extend({
  fileName: z.string(),
  notes: z.string(),
  collections: z.array(id),
  consent: Consent,
  /** Names of its photos, the front one first; one if unknown. */
  photos: z.array(z.object({ fileName: z.string(), use: PhotoUse.nullable() })),
  /** SHA-256 of the photo, hex; empty for an import. */
  photoHash: z.string(),
  /** The part of the photo that was sent; null: all of it. */
  crop: Box.nullable(),
  /** Head options; null: none. */
  options: HeadOptionsSchema.nullable(),
  /** The engine that made it; empty if unknown. */
  engine: z.string(),
  /** Whether its photo shows glasses; null if unknown. */
  glasses: z.boolean().nullable(),
  /** Parts that the engine is unsure of, until the user has answered. */
  uncertain: z.array(z.enum(uncertainParts)),
  /** Its earlier files, latest first. */
  earlier: z.array(EarlierVersion),
  /** Findings about the photo that the user overrode. */
  overridden: z.array(z.enum(findingCodes)),
  remoteModelId: z.string(),
  timings: z.object({
    submittedAt: time.nullable(),
    doneAt: time.nullable(),
    /** Seconds from submission to the finished download. */
    seconds: z.number().nonnegative().nullable(),
  }),
  cost: z.number().nonnegative(),
  currency: z.string(),
});
export type Model = z.output<typeof Model>;

const sorts = ['name', 'created', 'changed', 'rating', 'size'] as const;

export const ModelQuery = z.object({
  libraryId: id.optional(),
  /**
   * Words over name, tags, notes, file name, date, profile and state. All must match, from the start of a
   * word (Chinese, Japanese and Korean: anywhere). `"two words"` as a phrase; `-word` excludes; `field:value`
   * as in `searchFields`.
   */
  text: z.string().max(200).optional(),
  sex: z.enum(['female', 'male', 'unset']).optional(),
  eyelidType: z.enum(['single', 'double', 'unset']).optional(),
  profileId: z.string().max(64).optional(),
  source: z.enum(modelSources).optional(),
  state: z.enum(modelStates).optional(),
  tag: z.string().max(60).optional(),
  /** True: those without any tag. */
  untagged: z.boolean().optional(),
  flag: z.enum([...flags, 'none']).optional(),
  collectionId: id.optional(),
  /** Minimum number of stars. */
  rating: z.number().int().min(1).max(5).optional(),
  consentExpired: z.boolean().optional(),
  /** True: those that the current built-in engine would make better. */
  outdated: z.boolean().optional(),
  createdFrom: time.optional(),
  createdTo: time.optional(),
  /** True: only those in the trash. */
  trash: z.boolean().optional(),
  sort: z.enum(sorts).optional(),
  descending: z.boolean().optional(),
});
export type ModelQuery = z.output<typeof ModelQuery>;

/** Why a search term was ignored. */
export const SearchProblem = z.object({
  /** The word as typed. */
  word: z.string(),
  problem: z.enum(['unknown_field', 'unknown_value', 'not_stars', 'not_a_day', 'open_quote']),
  /** The field concerned; empty if there is none. */
  field: z.string(),
});
export type SearchProblem = z.output<typeof SearchProblem>;

const Facet = z.array(z.object({ value: z.string(), label: z.string(), count: z.number().int() }));

export const ModelFacets = z.object({
  sex: Facet,
  eyelidType: Facet,
  profile: Facet,
  source: Facet,
  state: Facet,
  rating: Facet,
  /** `pick`, `reject` and `none`. */
  flag: Facet,
  /** The 50 most used. */
  tag: Facet,
  /** How many have no tag. */
  untagged: z.number().int(),
});
export type ModelFacets = z.output<typeof ModelFacets>;

/** Either these, or all that a query finds. */
export const ModelSelection = z.union([z.object({ ids }).strict(), z.object({ query: ModelQuery }).strict()]);

/** Whether a head supports the channels of faces. */
export const Readiness = z.object({
  /** The 52 ARKit channels found on a mesh, and the missing ones. */
  arkit: z.object({ found: z.number().int(), missing: z.array(z.string()) }),
  /** The same for the 15 Oculus visemes. */
  visemes: z.object({ found: z.number().int(), missing: z.array(z.string()) }),
  tongue: z.boolean(),
  eyeBones: z.array(z.string()),
  morphTargets: z.array(z.string()),
  triangles: z.number().int(),
  vertices: z.number().int(),
  meshes: z.number().int(),
  materials: z.number().int(),
  textures: z.array(
    z.object({ name: z.string(), mediaType: z.string(), width: z.number().int(), height: z.number().int() }),
  ),
  extensions: z.array(z.string()),
  bytes: z.number().int(),
  /** The Khronos glTF-Validator's report. */
  validator: z.object({
    version: z.string(),
    errors: z.number().int(),
    warnings: z.number().int(),
    infos: z.number().int(),
    hints: z.number().int(),
    messages: z.array(
      z.object({ code: z.string(), severity: z.number().int(), message: z.string(), pointer: z.string() }),
    ),
  }),
});
export type Readiness = z.output<typeof Readiness>;
