import { maxPicture } from '@likeness/proto/picture_limits.ts';

/** Bytes. */
export const mebibyte = 1024 * 1024;
const second = 1000;

/**
 * All limits of the engine. Tests and servers override some of them in the configuration. Each tenant gets a fair
 * share of photos, recordings, traces, waiting models, bytes and connections: `FairShares`.
 */
export interface EngineLimits {
  /** Bytes of one image. */
  readonly imageBytes: number;
  /** Further photos of a person besides the head's main photo. */
  readonly otherPhotos: number;
  /**
   * Pixels of one image, read from its header before decoding. Some kinds have a lower limit: `pixelBounds`.
   */
  readonly imagePixels: number;
  /** Bytes of a photo to check; the studio may send only a part of it later. */
  readonly wholePhotoBytes: number;
  /** Photos being received or analysed at the same time. */
  readonly photoRequests: number;
  /** Bytes of one audio-to-face request, base64 and JSON included. */
  readonly audioRequestBytes: number;
  /** Bytes of all audio-to-face requests that are being received or answered at the same time. */
  readonly audioBytesInFlight: number;
  /** Seconds of audio in one trace, all its parts together, or in one recording. */
  readonly traceSeconds: number;
  /** Seconds of audio in one part of a trace whose frames have vertices: a minute is answered with a gigabyte. */
  readonly meshSeconds: number;
  /** Bytes of a complete recording's file. */
  readonly recordingBytes: number;
  /** Requests about recordings at the same time. */
  readonly recordingRequests: number;
  /** Bytes of all cached recordings together; the least recently used go first. */
  readonly keptRecordingBytes: number;
  /** Traces that are open (between `start` and `end`) at the same time. */
  readonly openTraces: number;
  /** Maximum bytes of a first part, decoded, after which a trace can continue. */
  readonly resumeBytes: number;
  /** Milliseconds without a request after which an open trace ends by itself. */
  readonly traceIdle: number;
  /** Trace identifiers remembered, so that one can't be used twice. */
  readonly traceMemory: number;
  /** Models waiting or being made. */
  readonly waitingModels: number;
  /** Times that an engine's end may interrupt the making of a model before it counts as failed. */
  readonly attempts: number;
  /** Milliseconds after which finished models, failures and image tasks are forgotten. */
  readonly keep: number;
  /** Bytes of all results together; the least recently used go first. */
  readonly resultBytes: number;
  /** Bytes of all images of image tasks together; the oldest go first. */
  readonly imageTaskBytes: number;
  /** Connections at once that have shown a key. */
  readonly connections: number;
  /** Connections without a key at once; when full, the one idle for longest closes. */
  readonly unauthenticated: number;
  /** Milliseconds within which a new connection must send anything. */
  readonly silentFor: number;
  /** Milliseconds within which a request's headers must arrive. */
  readonly headersTimeout: number;
  /** Bytes of a body that must arrive within `slowUploadWindow`, as long as it isn't complete. */
  readonly slowUploadBytes: number;
  /** Milliseconds. */
  readonly slowUploadWindow: number;
  /** Milliseconds within which a whole request must arrive. */
  readonly requestTimeout: number;
  /** Milliseconds that a connection may be idle during a request or an answer. */
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
  meshSeconds: 60,
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
  slowUploadBytes: 10_000,
  slowUploadWindow: 10 * second,
  requestTimeout: 120 * second,
  idleTimeout: 60 * second,
};
