import type { Message } from '@likeness/messages';
import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import type { Crop } from '@likeness/proto/crop.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { PhotoUse } from '@likeness/proto/heads/person_photos.ts';
import type { PhotoOutline } from '#contract';
import type { PhotoCheck } from './photos/photo_row.ts';

/** The server operations that the queue needs; `packages/client/src` implements them. */
export interface ModelService {
  /**
   * Waits until the connection's rate limits allow an order. @returns A function that ends the turn; the
   * order's first attempt also ends it.
   */
  turn(options: { signal?: AbortSignal }): Promise<() => void>;
  /**
   * Orders a model; this is billed. On an error, `uncertain` tells whether the server may have received the
   * order without answering. `refusal` names the cause (`access`: the key or the account; `unknown_model`).
   * With `protectedOnly`, the order is sent only if the server supports the idempotency key.
   */
  generateModel(
    request: {
      file: UploadFile;
      /** Additional photos of the person. */
      others?: readonly UploadFile[];
      sex: 'female' | 'male';
      eyelidType?: 'single' | 'double';
      corrections?: HeadCorrections;
      options?: HeadOptions;
      anyway?: boolean;
      idempotencyKey?: string;
    },
    options: { signal?: AbortSignal; protectedOnly?: boolean; turn?: () => void },
  ): Promise<{ modelId: string; waitSeconds: number; leftOut?: number }>;
  getModel(
    modelId: string,
    options: { signal?: AbortSignal },
  ): Promise<{
    state: 'ready' | 'processing' | 'failed';
    waitSeconds: number;
    failMessage: Message;
    downloadLink: string;
    stage?: { name: string; progress: number };
    photos?: PhotoUse[];
  }>;
  /** Cancels a model in progress, or deletes it, on servers with the extension `delete-model`. */
  deleteModel(modelId: string): Promise<void>;
  /** Resumes an interrupted download if the server supports it. */
  download(
    link: string,
    target: string,
    options: { onProgress?: (received: number, total: number | null) => void; signal?: AbortSignal },
  ): Promise<{ bytes: number; sha256: string }>;
  /** With `sure`, rejects if the server does not answer, instead of assuming no capabilities. */
  extensions(options: {
    signal?: AbortSignal;
    sure?: boolean;
  }): Promise<{ idempotencyKey: boolean; files: boolean; modelEvents: boolean }>;
  /**
   * Yields the ids of the key's models as they change, if the server sends events; ends with the connection.
   */
  modelEvents(options: { signal: AbortSignal; onOpen: () => void }): AsyncIterable<string>;
  submitImage(file: UploadFile, options: { signal?: AbortSignal }): Promise<{ id: string }>;
}

/** The properties of a connection that the queue needs. */
export interface BatchProfile {
  id: string;
  name: string;
  /** Concurrent requests. */
  concurrency: number;
  /** Limits of the polling interval, seconds. */
  polling: { least: number; most: number };
  /** Heads that it makes concurrently; undefined if unknown, as for a server. */
  makers?: number;
  prices: { perModel: number; currency: string };
}

export interface Profiles {
  /** @throws Failure `not_found` */
  profile(id: string): Promise<BatchProfile>;
  /** Called before an order. @throws Failure `key_missing` if the profile has no key */
  mustHaveKey?(id: string, secret: 'apiKey' | 'accessToken'): Promise<void>;
  /** @throws Failure `locked`, `key_missing`, `unreachable`, … */
  service(id: string): Promise<ModelService>;
}

export interface OutlineOrder {
  path: string;
  crop: Crop | null;
  sex: 'female' | 'male' | null;
  corrections: HeadCorrections | null;
  /**
   * Whether more requests for the same photo will follow: the checker then keeps it in memory, so that each
   * stroke gets a fast answer.
   */
  again: boolean;
}

/** `cutOff`: hair extends beyond the edge of the photo. */
export type FoundOutline = PhotoOutline & { cutOff: boolean };

/** Checks a photo without making a head, always on this machine. */
export interface PortraitChecker {
  /** Maximum number of concurrent checks. */
  readonly parallel: number;
  /**
   * @param crop - The part of the photo that will be sent; null: all of it.
   * @throws Failure `unreachable` if the checker is unavailable; other failures concern this photo
   */
  check(path: string, crop: Crop | null, signal?: AbortSignal): Promise<PhotoCheck>;
  /**
   * Finds where head and hair end. Positions are fractions of the part that `crop` leaves, in input and
   * output.
   *
   * @throws Failure `unsupported` if no head can be made from the photo
   */
  outline(order: OutlineOrder, signal?: AbortSignal): Promise<FoundOutline>;
  /**
   * Returns the part of a photo that is sent, as a JPEG: the same bytes that `check` reads. @throws Failure
   * as `check`
   */
  crop(photo: Uint8Array, crop: Crop, signal?: AbortSignal): Promise<Uint8Array>;
}
