/** The bodies of heads and image tasks: A2, B1, B2 and their extensions. */
import { photoViews } from '@likeness/portrait/contract/head_request.ts';
import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';
import { z } from 'zod';
import { flag, imageFile, jsonField } from '../http/form_fields.ts';
import { defaultLimits } from '../http/limits.ts';
import { headCorrectionsSchema } from './head_corrections.ts';
import { modelState } from './model_record.ts';

export const sexField = z.literal([0, 1]).describe('1 = female, 0 = male');
export const eyelidTypeField = z.literal([1, 2]).describe('1 = single eyelid, 2 = double eyelid');
export const correctionsField = jsonField(headCorrectionsSchema).describe(
  'Extension `head-corrections`: corrections of the outline of head and hair',
);

/** A2. */
export const imageTaskForm = z.strictObject({ file: imageFile });

export const imageTaskAccepted = z.object({
  data: z.object({ id: z.guid().describe('Task identifier') }),
});

/** B1. */
export const modelForm = z.strictObject({
  file: imageFile,
  files: z
    .array(imageFile)
    .max(defaultLimits.otherPhotos)
    .optional()
    .describe(
      'Extension `files`: further photos of the same person, from any side and in any order, each in a part of this name. An unusable one is left out, and B2 reports why. A head is billed once, however many photos it uses',
    ),
  sex: sexField,
  eyelidType: eyelidTypeField.optional(),
  corrections: correctionsField.optional(),
  options: jsonField(HeadOptionsSchema)
    .optional()
    .describe('Extension `head-options`: the user’s options for the head'),
  anyway: flag
    .optional()
    .describe(
      'Extension `head-anyway`: 1 = make the head even if the photo fails a quality rule (turn, size, focus, light, cover)',
    ),
  preview: flag
    .optional()
    .describe(
      'Extension `head-preview`: 1 = a head to try options with: its textures are coarser, and the next head of the photo is made sooner. It is deleted when the engine starts again',
    ),
});

export const modelAccepted = z.object({
  modelId: z.guid().describe('Unique model identifier'),
  waitTime: z
    .int()
    .min(0)
    .describe('Estimated seconds until it is finished, from the queue and the measured speed'),
});

const status = z.literal(Object.values(modelState)).describe('1 = success, 3 = processing, 4 = fail');
const progress = {
  stage: z.string().optional().describe('Extension `model-stage`: the step in progress'),
  progress: z.number().min(0).max(1).optional().describe('Extension `model-stage`: the part that is done'),
};
const result = {
  failMessage: z.string().describe('What to change, where it failed; else empty'),
  downloadLink: z.string().describe('Address of the head (GLB), once it is made; else empty'),
};
const bilingual = z.object({ en: z.string().describe('English'), zh: z.string().describe('Chinese') });

/** B2. */
export const modelSchema = z
  .object({
    modelId: z.guid().describe('Unique model identifier'),
    status,
    waitTime: z
      .string()
      .regex(/^[0-9]+$/)
      .describe('Estimated seconds until it is finished, as text; "0" when it is'),
    sex: sexField,
    eyelidType: eyelidTypeField.optional().describe(`${eyelidTypeField.description}; absent if B1 had none`),
    ...progress,
    photos: z
      .array(
        z.object({
          index: z.int().min(1).describe('Position among `files`'),
          used: z.boolean(),
          reason: bilingual.exactOptional().describe('Why it was left out; absent if it was used'),
          view: z
            .enum(photoViews)
            .nullable()
            .describe('The view of the head; left: the nose points to the subject’s own left'),
          yaw: z
            .number()
            .nullable()
            .describe('Degrees, positive when the subject turns to its left; null if no head was found'),
        }),
      )
      .optional()
      .describe('Extension `files`: the result for each, once the head is made; absent if B1 had none'),
    ...result,
    failMessages: bilingual.optional().describe('`failMessage` in both languages, if it failed'),
  })
  .meta({ id: 'Model' });
export type ModelBody = z.input<typeof modelSchema>;

/** Extension `image-tasks`. */
export const imageTaskSchema = z.object({
  data: z.object({
    id: z.guid().describe('Task identifier'),
    status,
    waitTime: z.int().min(0).describe('Estimated seconds until it is finished; 0 when it is'),
    ...progress,
    ...result,
  }),
});
