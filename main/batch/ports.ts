import type { HeadCorrections, PhotoFinding, PhotoOutline } from '#contract';
import type { Said } from '#sentences';
import type { Crop } from './jobs/job_store.ts';
import type { PhotoCheck } from './photos/photo_tray.ts';

/** A file to send: as it lies on disk, or in memory with the name it should have. */
export type SentFile = { path: string } | { bytes: Uint8Array; name: string };

/** The operations of a server that the queue needs; `main/upstream` has them. */
export interface ModelService {
  /**
   * Billed. An error says by `uncertain` whether it may have been received although no answer came, and by `refusal`
   * what a refusal is about (`access`: the key or the account; `unknown_model`). `protectedOnly`: nothing is sent unless
   * the server takes the idempotency key.
   */
  generateModel(
    request: {
      file: SentFile;
      sex: 'female' | 'male';
      eyelidType?: 'single' | 'double';
      corrections?: HeadCorrections;
      anyway?: boolean;
      idempotencyKey?: string;
    },
    options: { signal?: AbortSignal; protectedOnly?: boolean },
  ): Promise<{ modelId: string; waitSeconds: number }>;
  getModel(
    modelId: string,
    options: { signal?: AbortSignal },
  ): Promise<{
    state: 'ready' | 'processing' | 'failed';
    waitSeconds: number;
    failMessage: Said;
    downloadLink: string;
    stage?: { name: string; progress: number };
  }>;
  /** Goes on where an earlier one was broken off, where the server can. */
  download(
    link: string,
    target: string,
    options: { onProgress?: (received: number, total: number | null) => void; signal?: AbortSignal },
  ): Promise<{ bytes: number; sha256: string }>;
  /** `sure`: rejects where the server could not be asked, instead of taking it to announce nothing. */
  extensions(options: { signal?: AbortSignal; sure?: boolean }): Promise<{ idempotencyKey: boolean }>;
  submitImage(file: SentFile, options: { signal?: AbortSignal }): Promise<{ id: string }>;
}

/** What the queue needs to know of a connection. */
export interface BatchProfile {
  id: string;
  name: string;
  /** Requests under way at once. */
  concurrency: number;
  /** Most requests started in a minute. 0: no limit. */
  requestsPerMinute: number;
  /** Bounds of the pause between two questions, seconds. */
  polling: { least: number; most: number };
  /** Heads that it makes at once; undefined where nobody knows, as of a server. */
  makers?: number;
  prices: { perModel: number; currency: string };
}

export interface Profiles {
  /** @throws Failure `not_found` */
  profile(id: string): Promise<BatchProfile>;
  /** Before something is ordered of it. @throws Failure `key_missing` where it is known to have none */
  mustHaveKey?(id: string, secret: 'apiKey' | 'accessToken'): Promise<void>;
  /** @throws Failure `locked`, `key_missing`, `unreachable`, … */
  service(id: string): Promise<ModelService>;
}

export interface OutlineOrder {
  path: string;
  crop: Crop | null;
  sex: 'female' | 'male' | null;
  corrections: HeadCorrections | null;
  /** Whether the same photo will be asked for again: it is kept at hand then, and each stroke answered at once. */
  again: boolean;
}

/** `cutOff`: hair goes on beyond the edge of the photo. */
export type FoundOutline = PhotoOutline & { cutOff: boolean };

/** Looks a photo over without making a head of it, on threads of its own. */
export interface PortraitChecker {
  /** Photos that are looked at at once. */
  readonly parallel: number;
  /** @param crop - The part of the photo that will be sent; null: all of it. */
  check(path: string, crop: Crop | null): Promise<PhotoCheck>;
  /**
   * Where head and hair end; places are fractions of the part that `crop` leaves, in and out.
   *
   * @throws Failure `unsupported` where no head could be made of the photo
   */
  outline(order: OutlineOrder): Promise<FoundOutline>;
}

/** What a head is made by, besides its photo. */
export interface HeadParameters {
  sex: 'female' | 'male' | null;
  eyelidType: 'single' | 'double' | null;
  crop: Crop | null;
  corrections: HeadCorrections | null;
}

/** Where finished models go; `main/library` has it. */
export interface ModelStore {
  defaultLibraryId(): string;
  /** Whether the studio (still) has this library. */
  knows(libraryId: string): boolean;
  prepare(libraryId: string, modelId: string): Promise<string>;
  has(libraryId: string, modelId: string, name: string): Promise<boolean>;
  finish(
    libraryId: string,
    model: {
      id: string;
      name: string;
      fileName: string;
      photo: { path: string; sha256: string };
      parameters: HeadParameters;
      /** What spoke against the photo and was passed over. */
      overridden: PhotoFinding['code'][];
      profile: { id: string; name: string };
      remoteModelId: string;
      timings: { submittedAt: number | null; doneAt: number | null; seconds: number | null };
      cost: number;
      currency: string;
      tags: string[];
      sha256: string;
    },
  ): Promise<void>;
  discard(libraryId: string, modelId: string): Promise<void>;
  /** The photo that a model was made of. @throws Failure `not_found` */
  portraitOf(modelId: string): Promise<{
    name: string;
    fileName: string;
    photo: { path: string; sha256: string };
    parameters: HeadParameters;
    tags: string[];
  }>;
  unfinished(libraryId: string): Promise<string[]>;
  madeBefore(
    photoHash: string,
    parameters: HeadParameters,
    /** Null: any. */
    profileId: string | null,
  ): string | null;
}

export interface Clock {
  /** Milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds that only go forward, from any beginning. */
  elapsed(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason where that is aborted before. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}
