import { t } from '@likeness/messages';
import { z } from 'zod';
import { unknownField } from '../http/form_fields.ts';
import { parseJson } from '../http/json_body.ts';
import { Refusal } from '../http/refusal.ts';
import { maxChannels, maxSampleRate, minSampleRate } from './audio_data.ts';

const encodings = {
  u8: 'u8',
  s16le: 's16le',
  s24le: 's24le',
  s32le: 's32le',
  f32le: 'f32le',
  f64le: 'f64le',
} as const;

/** The body of an A1 request, extensions included. */
export const AudioRequest = z
  .strictObject({
    // Any UUID, whatever its version.
    traceId: z.guid().describe('Chosen by the caller; a new one for each voice'),
    status: z
      .enum(['start', 'continue', 'end'])
      .describe('Position in the stream; `continue` and `end` are the extension `stream-words`'),
    data: z
      .string()
      .describe(
        `Base64 of a WAV file (PCM of 8 to 32 bits, float of 32 or 64; ${minSampleRate} to ${maxSampleRate} Hz; 1 to ${maxChannels} channels), or of raw PCM together with \`sampleRate\`. A later part may be raw PCM in the first part’s format. Empty only with \`end\``,
      )
      .meta({ contentEncoding: 'base64' }),
    // The limits of rate and channels have a refusal of their own, for WAV files as well: `checkFormat`.
    sampleRate: z
      .int()
      .optional()
      .describe('Extension `raw-pcm`: hertz')
      .meta({ minimum: minSampleRate, maximum: maxSampleRate }),
    channels: z.int().default(1).describe('Extension `raw-pcm`').meta({ minimum: 1, maximum: maxChannels }),
    encoding: z.enum(encodings).default('s16le').describe('Extension `raw-pcm`: sample format'),
    frameRate: z
      .literal([30, 60])
      .default(60)
      .describe('Extension `face-options`, with `start`: frames per second'),
    lookahead: z
      .literal([0, 20, 40, 60])
      .default(40)
      .describe(
        'Extension `face-options`, with `start`: milliseconds of audio after a frame’s time that the frame waits for; more is better and later',
      ),
    suppressNoise: z
      .boolean()
      .default(false)
      .describe(
        'Extension `noise-suppression`, with `start`: suppresses hum, clicks and steady noise first; frames come up to 22 ms later',
      ),
    vertices: z
      .boolean()
      .default(false)
      .describe(
        'Extension `face-vertices`, with `start`: the header carries the mesh of the default head and every frame its vertices: all surfaces in file order, metres, origin at the pivot of its node `Head`. They include the 52 ARKit weights, but not `head_pose`. About 270 KB a frame, for at most 60 s of audio in one part',
      ),
  })
  .meta({ id: 'AudioToFaceRequest' });
export type AudioRequest = z.output<typeof AudioRequest>;

/**
 * @param body Without `data`, whose bytes are decoded apart: an empty string is in its place.
 * @throws {Refusal} 400 `json_malformed`, `field_unknown`, `field_wrong_value`, `status_unknown`
 */
export function parseAudioRequest(body: string): AudioRequest {
  const parsed = AudioRequest.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  throw wrongField(parsed.error.issues[0]);
}

function wrongField(issue: z.core.$ZodIssue | undefined): Refusal {
  if (issue?.code === 'unrecognized_keys') {
    return unknownField(String(issue.keys[0]), Object.keys(AudioRequest.shape));
  }
  const field = String(issue?.path[0] ?? '');
  if (!(field in AudioRequest.shape)) {
    return new Refusal(400, 'json_malformed', t('refusal.json_lacks_audio'));
  }
  return new Refusal(
    400,
    field === 'status' ? 'status_unknown' : 'field_wrong_value',
    t('refusal.audio_field', { field, encodings: Object.keys(encodings) }),
    { field },
  );
}
