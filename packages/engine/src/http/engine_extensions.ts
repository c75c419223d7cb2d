/**
 * The engine's extensions of the interface, announced in the header `likeness-extensions` of every answer, in
 * `/health` and in `/openapi.json`:
 * - `idempotency-key`: B1 takes the header `Idempotency-Key`.
 * - `delete-model`: DELETE of a model.
 * - `health`: GET /health, with either key.
 * - `stream-words`: A1 takes a voice in parts.
 * - `raw-pcm`: A1 takes samples without a container.
 * - `face-options`: A1 takes `frameRate` and `lookahead`.
 * - `noise-suppression`: A1 takes `suppressNoise`.
 * - `face-vertices`: A1 takes `vertices`.
 * - `head-corrections`: B1 takes `corrections` of the outline of head and hair.
 * - `head-options`: B1 takes `options`: the person's choices for the head.
 * - `head-anyway`: B1 takes `anyway`: the head is made although the photo fails a quality rule.
 * - `head-preview`: B1 takes `preview`: a coarser head to try options with, and the photo is kept read for the next.
 * - `files`: B1 takes further photos of the person as `files`, at most seven; B2 reports which were used.
 * - `model-stage`: B2 reports the stage of a model in progress.
 * - `long-poll`: B2 takes `Prefer: wait=30` and answers when the model has changed.
 * - `model-events`: GET /v1/models/events: server-sent events of all of a key's models.
 * - `photo-check`: POST /v1/photos/check: problems of a photo, before a head is ordered.
 * - `photo-outline`: POST /v1/photos/outline: the outline of head and hair in a photo.
 * - `photo-crop`: POST /v1/photos/crop: the part of a photo that is sent.
 * - `recordings`: POST /v1/speech/recordings: analyses a complete recording; DELETE: forgets it.
 * - `speech-alignment`: POST /v1/speech/alignments: the times of a script's words in a recording.
 * - `take-face`: POST /v1/speech/faces: a recording's face, with or without its words.
 */
export const extensions = [
  'idempotency-key',
  'delete-model',
  'health',
  'stream-words',
  'raw-pcm',
  'face-options',
  'noise-suppression',
  'face-vertices',
  'head-corrections',
  'head-options',
  'head-anyway',
  'head-preview',
  'files',
  'model-stage',
  'long-poll',
  'model-events',
  'photo-check',
  'photo-outline',
  'photo-crop',
  'recordings',
  'speech-alignment',
  'take-face',
] as const;
