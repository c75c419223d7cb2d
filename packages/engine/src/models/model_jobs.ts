import type { Readable } from 'node:stream';
import type { ByteRange } from '@likeness/node-kit/network/byte_range.ts';
import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import type { Charge } from '../http/access.ts';
import type { UploadedFile } from '../http/image_upload.ts';
import type { ModelKind, ModelRecord, Owner, Priority } from './model_record.ts';

/** The photos that a model is ordered with. Their files are taken over. */
export type OrderedPhotos = Pick<UploadedFile, 'path' | 'sha256'> & {
  others?: readonly Pick<UploadedFile, 'path' | 'sha256'>[];
};

/** What is ordered, apart from its photos. */
export interface ModelOrder {
  owner: Owner;
  kind: ModelKind;
  priority: Priority;
  sex: 0 | 1;
  eyelidType: 1 | 2 | null;
  corrections: Partial<HeadCorrections> | null;
  /** Only what differs from the usual. */
  options: HeadOptions | null;
  /** Even if the photo fails a quality rule. */
  anyway: boolean;
  /** The same key of the same owner with the same photo and parameters is the same model. Null: always new. */
  idempotencyKey: string | null;
  /** Who pays. Absent: nobody. */
  charge?: Charge | null;
}

/** How many models wait and how many are being made. */
export interface Load {
  queued: number;
  running: number;
}

/** How models of one kind are doing. */
export interface KindMeasures extends Load {
  /** How long the one that was ordered first has waited, seconds; 0 where none waits. */
  oldestSeconds: number;
}

/** How a queue is doing. */
export interface QueueMeasures {
  kinds: Readonly<Record<ModelKind, KindMeasures>>;
  /** How many could be made at the same time. */
  slots: number;
}

/** How far a head's making is. */
export interface MakingStage {
  name: string;
  /** 0..1. */
  progress: number;
}

/** A finished head's file. */
export interface ModelResult {
  owner: Owner;
  /** Of the file's bytes, hex. */
  sha256: string;
  bytes: number;
  /** Rejects where the file is gone or its store can't be reached. */
  open(range: Pick<ByteRange, 'first' | 'last'>): Promise<Readable>;
}

/** A model has another state, or is gone. */
export interface ModelChange {
  id: string;
  owner: Owner;
  kind: ModelKind;
  /** As the interface numbers it; null: it was removed. */
  state: ModelRecord['state'] | null;
}

/** One finished model, to be billed. Written in the step that finishes it, once, whoever crashes when. */
export interface Completion {
  /** Where to go on reading: one database's own name and a number that grows. */
  cursor: string;
  /** The model's id. */
  id: string;
  owner: string;
  kind: ModelKind;
  /** Milliseconds since 1970 UTC. */
  at: number;
  /** That its making took; 0 where the same head was there already. */
  seconds: number;
  /** Milliseconds since 1970 UTC; null where that is forgotten. */
  orderedAt: number | null;
  /** Who pays; empty where nobody was named. */
  account: string;
}

/**
 * Models from order to file, whatever keeps them: `ModelQueue` in SQLite for one machine, the service's on Redis for
 * many. What belongs to one owner is for every other as if it were not there.
 */
export interface ModelJobs {
  /** Photos are taken over by renaming their files, which have to be on the disk then; otherwise by copying. */
  readonly renamesPhotos: boolean;
  /**
   * Accepts an order: photos and record are durable when this resolves. The photos' files are taken over. With an
   * idempotency key that is known, the model that it stands for.
   *
   * @returns `waitTime` in whole seconds.
   * @throws {Refusal} 409 `idempotency_conflict` where the key stands for other photos or other parameters, 503
   *   `queue_full`
   */
  submit(photos: OrderedPhotos, order: ModelOrder): Promise<{ id: string; waitTime: number }>;
  /** Null where this owner has none of this kind with this id: no slower for what is another's. */
  find(id: string, owner: Owner, kind?: ModelKind): Promise<ModelRecord | null>;
  /** Whole seconds until the model is finished; 0 where it is. */
  waitTime(model: ModelRecord): Promise<number>;
  /** How far a model in the making is; null where it isn't being made, or has only begun. */
  stageOf(model: ModelRecord): Promise<MakingStage | null>;
  /**
   * Takes a model back: out of the queue, out of the making, or its result away where no other has the same.
   *
   * @returns false where this owner has none of this kind with this id.
   */
  remove(id: string, owner: Owner, kind?: ModelKind): Promise<boolean>;
  /** All that is kept of an owner. @returns How many models went. */
  removeAll(owner: string): Promise<number>;
  /** A finished head's file by the last part of its link; null where there is none. */
  result(file: string): Promise<ModelResult | null>;
  /** Deletes a photo's file unless a model that isn't finished, or an image task, needs it. */
  dropPhoto(photo: string): Promise<void>;
  load(): Promise<Load>;
  measures(): Promise<QueueMeasures>;
  /** Calls back after every change, whichever process made it, until the returned function is called. */
  watch(listener: (change: ModelChange) => void): () => void;
  /** Finished models of owners, oldest first, after a cursor. Kept for `limits.keep`. */
  completions(after: string | null, max: number): Promise<Completion[]>;
  /** Forgets what is too old. */
  sweep(): Promise<void>;
  /** Breaks off what is being made here, so that it starts again elsewhere or with the next start. */
  close(): Promise<void>;
}
