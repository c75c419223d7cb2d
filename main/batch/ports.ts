import type { Message } from '@likeness/messages';
import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import type { Crop } from '@likeness/proto/crop.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { PhotoUse } from '@likeness/proto/heads/person_photos.ts';
import type { PhotoOutline } from '#contract';
import type { PhotoCheck } from './photos/photo_row.ts';

/** The operations of a server that the queue needs; `packages/client/src` has them. */
export interface ModelService {
  /**
   * Waits until the connection's limits let an order start. @returns What ends the turn; the order's first
   * try does.
   */
  turn(options: { signal?: AbortSignal }): Promise<() => void>;
  /**
   * Billed. An error says by `uncertain` whether it may have been received although no answer came, and by
   * `refusal` what a refusal is about (`access`: the key or the account; `unknown_model`). `protectedOnly`:
   * nothing is sent unless the server takes the idempotency key.
   */
  generateModel(
    request: {
      file: UploadFile;
      /** Further photos of the person. */
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
  /** Goes on where an earlier one was broken off, where the server can. */
  download(
    link: string,
    target: string,
    options: { onProgress?: (received: number, total: number | null) => void; signal?: AbortSignal },
  ): Promise<{ bytes: number; sha256: string }>;
  /** `sure`: rejects where the server could not be asked, instead of taking it to announce nothing. */
  extensions(options: {
    signal?: AbortSignal;
    sure?: boolean;
  }): Promise<{ idempotencyKey: boolean; files: boolean; modelEvents: boolean }>;
  /** Ids of the key's models as they change, where the server tells; ends when the connection does. */
  modelEvents(options: { signal: AbortSignal; onOpen: () => void }): AsyncIterable<string>;
  submitImage(file: UploadFile, options: { signal?: AbortSignal }): Promise<{ id: string }>;
}

/** What the queue needs to know of a connection. */
export interface BatchProfile {
  id: string;
  name: string;
  /** Requests under way at once. */
  concurrency: number;
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
  /**
   * Whether the same photo will be asked for again: it is kept at hand then, and each stroke answered at
   * once.
   */
  again: boolean;
}

/** `cutOff`: hair goes on beyond the edge of the photo. */
export type FoundOutline = PhotoOutline & { cutOff: boolean };

/** Checks a photo without making a head, always on this machine. */
export interface PortraitChecker {
  /** Photos that are looked at at once. */
  readonly parallel: number;
  /**
   * @param crop - The part of the photo that will be sent; null: all of it.
   * @throws Failure `unreachable` where nobody can look at photos now; else it is about this one
   */
  check(path: string, crop: Crop | null, signal?: AbortSignal): Promise<PhotoCheck>;
  /**
   * Where head and hair end; places are fractions of the part that `crop` leaves, in and out.
   *
   * @throws Failure `unsupported` where no head could be made of the photo
   */
  outline(order: OutlineOrder, signal?: AbortSignal): Promise<FoundOutline>;
  /**
   * The part of a photo that is sent, a JPEG: the same bytes that `check` looks at. @throws Failure as
   * `check`
   */
  crop(photo: Uint8Array, crop: Crop, signal?: AbortSignal): Promise<Uint8Array>;
}
