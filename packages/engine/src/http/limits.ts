import { maxPicture } from '@likeness/proto/picture_limits.ts';

/** Bytes. */
export const mebibyte = 1024 * 1024;
const second = 1000;

/**
 * All limits of the engine. A test or a server with other needs overrides some in the configuration.
 */
export interface EngineLimits {
  /** Bytes of one image. */
  readonly imageBytes: number;
  /** Further photos of a person beside the one that a head is ordered with. */
  readonly otherPhotos: number;
  /** Pixels of one image, read from its header before anything is decoded; of some kinds fewer are: `pixelBounds`. */
  readonly imagePixels: number;
  /** Bytes of a photo that is checked; only a part of it may be sent. */
  readonly wholePhotoBytes: number;
  /** Photos that are being received or looked at, at the same time. */
  readonly photoRequests: number;
  /** Bytes of one audio-to-face request, base64 and JSON included. */
  readonly audioRequestBytes: number;
  /** Bytes of all audio-to-face requests that are being received at the same time. */
  readonly audioBytesInFlight: number;
  /** Seconds of audio in one trace, all its parts together, or in one recording. */
  readonly traceSeconds: number;
  /** Bytes of the file of a sound that is sent as a whole. */
  readonly recordingBytes: number;
  /** Requests about such sounds at the same time. */
  readonly recordingRequests: number;
  /** Bytes of what is kept of such sounds together; the least recently used go first. */
  readonly keptRecordingBytes: number;
  /** Traces that are open (between `start` and `end`) at the same time. */
  readonly openTraces: number;
  /** Bytes of a first part, decoded, up to which a trace can go on after it. */
  readonly resumeBytes: number;
  /** Milliseconds without a request after which an open trace ends by itself. */
  readonly traceIdle: number;
  /** Trace identifiers remembered, so that one can't be used twice. */
  readonly traceMemory: number;
  /** Models waiting or being made. */
  readonly waitingModels: number;
  /** Times that making a model may be cut off by the engine's end before it counts as failed. */
  readonly attempts: number;
  /** Milliseconds after which finished models, failures and image tasks are forgotten. */
  readonly keep: number;
  /** Bytes of all results together; the least recently used go first. */
  readonly resultBytes: number;
  /** Bytes of all images of image tasks together; the oldest go first. */
  readonly imageTaskBytes: number;
  /** Connections at once that have shown a key. */
  readonly connections: number;
  /** Connections at once that have not; the one that was silent for longest gives way to one more. */
  readonly unauthenticated: number;
  /** Milliseconds in which a connection must have said anything at all. */
  readonly silentFor: number;
  /** Milliseconds in which a request's headers must have come. */
  readonly headersTimeout: number;
  /** Milliseconds in which a whole request must have come. */
  readonly requestTimeout: number;
  /** Milliseconds that a connection may be silent while a request or an answer is under way. */
  readonly idleTimeout: number;
}

export const defaultLimits: EngineLimits = {
  imageBytes: 64 * mebibyte,
  otherPhotos: 7,
  imagePixels: 500_000_000,
  wholePhotoBytes: maxPicture.bytes,
  photoRequests: 16,
  audioRequestBytes: 48 * mebibyte,
  audioBytesInFlight: 128 * mebibyte,
  traceSeconds: 3 * 3600,
  recordingBytes: 4096 * mebibyte,
  recordingRequests: 16,
  keptRecordingBytes: 256 * mebibyte,
  openTraces: 64,
  resumeBytes: 4 * mebibyte,
  traceIdle: 60 * second,
  traceMemory: 10_000,
  waitingModels: 1000,
  attempts: 3,
  keep: 7 * 24 * 3600 * second,
  resultBytes: 2048 * mebibyte,
  imageTaskBytes: 512 * mebibyte,
  connections: 512,
  unauthenticated: 128,
  silentFor: 5 * second,
  headersTimeout: 10 * second,
  requestTimeout: 120 * second,
  idleTimeout: 60 * second,
};
