import type { Readable } from 'node:stream';
import type { ByteRange } from '@likeness/node-kit/network/byte_range.ts';
import type { Charge } from '../http/access.ts';
import type { UploadedFile } from '../http/image_upload.ts';
import type { HeadParameters, ModelKind, ModelRecord, Owner, Priority } from './model_record.ts';

/** The photos of an order. The queue takes ownership of their files. */
export type OrderedPhotos = Pick<UploadedFile, 'path' | 'sha256'> & {
  others?: readonly Pick<UploadedFile, 'path' | 'sha256'>[];
};

/** The parameters of an order, apart from its photos. */
export interface ModelOrder extends HeadParameters {
  owner: Owner;
  kind: ModelKind;
  priority: Priority;
  /**
   * One owner's repeated key with the same photo and parameters returns the same model. Null: always a new
   * model.
   */
  idempotencyKey: string | null;
  /** The account that pays. Absent: free. */
  charge?: Charge | null;
}

/** Numbers of waiting models and of models in progress. */
export interface Load {
  queued: number;
  running: number;
}

/** Measurements of one kind of model. */
export interface KindMeasures extends Load {
  /** Waiting time of the oldest order, seconds; 0 if none waits. */
  oldestSeconds: number;
}

/** Measurements of a queue. */
export interface QueueMeasures {
  kinds: Readonly<Record<ModelKind, KindMeasures>>;
  /** Models that can be made at the same time. */
  slots: number;
}

/** Progress of a head. */
export interface MakingStage {
  name: string;
  /** 0..1. */
  progress: number;
}

/** A finished head's file. */
export interface ModelResult {
  owner: Owner;
  /** SHA-256 of the file's bytes, hex. */
  sha256: string;
  bytes: number;
  /** Rejects if the file is gone or its store is unreachable. */
  open(range: Pick<ByteRange, 'first' | 'last'>): Promise<Readable>;
}

/** A model changed state or was removed. */
export interface ModelChange {
  id: string;
  owner: Owner;
  kind: ModelKind;
  /** The interface's number; null: removed. */
  state: ModelRecord['state'] | null;
}

/**
 * One finished model, to be billed. Written exactly once, in the step that finishes the model, despite
 * crashes.
 */
export interface Completion {
  /** Position for the next read: the database's name and an increasing number. */
  cursor: string;
  /** The model's id. */
  id: string;
  owner: string;
  kind: ModelKind;
  /** Milliseconds since 1970 UTC. */
  at: number;
  /** Time that making it took, seconds; 0 if the head existed already. */
  seconds: number;
  /** Milliseconds since 1970 UTC; null if no longer known. */
  orderedAt: number | null;
  /** The paying account; empty if the order named none. */
  account: string;
}

/**
 * The queue of models from order to file: `ModelQueue` in SQLite for one machine, the service's on Redis for
 * many. Each owner sees only their own models.
 */
export interface ModelJobs {
  /**
   * Whether it takes photos over by renaming their files, which must be on disk then; otherwise it copies
   * them.
   */
  readonly renamesPhotos: boolean;
  /**
   * Accepts an order. Photos and record are durable when this resolves; the queue takes ownership of the
   * files. A known idempotency key returns its existing model.
   *
   * @returns `waitTime` in whole seconds.
   * @throws {Refusal} 409 `idempotency_conflict` if the key belongs to other photos or parameters, 503
   * `queue_full`
   */
  submit(photos: OrderedPhotos, order: ModelOrder): Promise<{ id: string; waitTime: number }>;
  /**
   * Returns null if this owner has no such model of this kind; takes the same time for another owner's model.
   */
  find(id: string, owner: Owner, kind?: ModelKind): Promise<ModelRecord | null>;
  /** Whole seconds until the model is finished; 0 once finished. */
  waitTime(model: ModelRecord): Promise<number>;
  /** Progress of a model; null if it isn't being made, or has just begun. */
  stageOf(model: ModelRecord): Promise<MakingStage | null>;
  /**
   * Cancels or deletes a model: removes it from the queue, stops its making, or deletes its result unless
   * another model shares it.
   *
   * @returns false if this owner has no such model of this kind.
   */
  remove(id: string, owner: Owner, kind?: ModelKind): Promise<boolean>;
  /** Removes all data of an owner. @returns The number of removed models. */
  removeAll(owner: string): Promise<number>;
  /** Finds a finished head by the last part of its link; null if there is none. */
  result(file: string): Promise<ModelResult | null>;
  /** Deletes a photo's file unless an unfinished model or an image task needs it. */
  dropPhoto(photo: string): Promise<void>;
  load(): Promise<Load>;
  measures(): Promise<QueueMeasures>;
  /** Calls back after every change by any process, until the returned function is called. */
  watch(listener: (change: ModelChange) => void): () => void;
  /** Returns finished models that have an owner, oldest first, after a cursor. Kept for `limits.keep`. */
  completions(after: string | null, max: number): Promise<Completion[]>;
  /** Removes expired models and results. */
  sweep(): Promise<void>;
  /** Interrupts the work in progress here; it restarts elsewhere or at the next start. */
  close(): Promise<void>;
}
