import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { joinMessages, type Message } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { syncFolder, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { type Arrival, encodeArrival, FaceGaps, type TakeTier } from '@likeness/proto/take_stream.ts';
import type { PerformedExpression } from '@likeness/proto/takes/performed_expressions.ts';
import { wavHead } from '@likeness/proto/wav.ts';
import { appendPerformed, editPerformed } from './edits/performed_file.ts';
import { type TakeRecord, takeFiles, tiersOf } from './take_record.ts';

interface RecordingEnd {
  latency: TakeRecord['latency'];
  /** For an overdub: start in its take, seconds. */
  startsAt?: number | undefined;
  /** Name of the tracker whose face is in it. */
  tracker?: string | undefined;
}

/** A take that is being recorded. */
export interface TakeRecorder {
  readonly id: string;
  sound(samples: Float32Array): void;
  face(arrival: Arrival): void;
  /** The shown expression changes. An overdub replaces regions of another take and keeps none. */
  express(change: PerformedExpression): void;
  /** Why writing has stopped; empty while it works. */
  trouble(): Message;
  /**
   * Resolves when all data is on disk. Call it once; the wrapper that `Takes` returns may be called again.
   * @throws Failure `storage`; then `recoverTake` repairs the written files
   */
  finish(more: RecordingEnd): Promise<TakeRecord>;
}

/**
 * The recorder with another end, which runs once: further calls (stop while the session closes) wait for the same
 * result.
 */
export function withEnd(recorder: TakeRecorder, end: TakeRecorder['finish']): TakeRecorder {
  let ending: Promise<TakeRecord> | undefined;
  return {
    ...recorder,
    finish(more) {
      ending ??= end(more);
      return ending;
    },
  };
}

/** Milliseconds between two syncs to disk: the maximum loss in a power cut. */
const flushEvery = 500;

/**
 * Writes a take as it arrives. Audio and face are appended at once and synced twice a second; the files are
 * always complete except for their last bytes, which `recoverTake` repairs. Shown expressions become edits, so
 * that they can be moved and removed.
 *
 * @throws Failure `storage`
 */
export async function startRecording(folder: string, record: TakeRecord): Promise<TakeRecorder> {
  const files: FileHandle[] = [];
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeRecord(folder, record);
    for (const name of [takeFiles.audio, takeFiles.face])
      files.push(await open(join(folder, name), 'wx', 0o600));
    await files[0]!.write(wavHead(record.sampleRate, 0, 'f32le'));
    await syncFolder(dirname(folder));
  } catch (error) {
    for (const file of files) await file.close();
    throw storageFailure(error, folder);
  }
  const [audio, face] = files as [FileHandle, FileHandle];
  const waiting: [Uint8Array[], Uint8Array[]] = [[], []];
  const performed: PerformedExpression[] = [];
  const tiers = new Set<TakeTier>();
  // Counted on arrival: reading back half an hour of face would delay the next session.
  const gaps = new FaceGaps();
  let samples = 0;
  let failure: unknown;
  let writing: Promise<void> | undefined;
  let flushedAt = performance.now();
  let isFinished = false;

  const write = async (): Promise<void> => {
    while (!failure && [...waiting, performed].some(({ length }) => length > 0)) {
      if (performed.length > 0) await appendPerformed(folder, performed.splice(0));
      for (const [index, file] of [audio, face].entries()) {
        const blocks = waiting[index]!.splice(0);
        if (blocks.length > 0) await file.appendFile(Buffer.concat(blocks));
      }
      if (performance.now() - flushedAt > flushEvery) {
        await Promise.all([audio.datasync(), face.datasync()]);
        flushedAt = performance.now();
      }
    }
  };
  const go = (): void => {
    writing ??= write()
      .catch((error: unknown) => {
        failure = storageFailure(error, folder);
        for (const blocks of [...waiting, performed]) blocks.length = 0;
      })
      .finally(() => {
        writing = undefined;
      });
  };

  return {
    id: record.id,
    sound(block) {
      if (failure || isFinished) return;
      samples += block.length;
      waiting[0].push(new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
      go();
    },
    face(arrival) {
      if (failure || isFinished) return;
      tiers.add(arrival.tier);
      gaps.add(arrival);
      waiting[1].push(encodeArrival(arrival));
      go();
    },
    express(change) {
      if (failure || isFinished || record.attempt) return;
      performed.push(change);
      go();
    },
    trouble: () =>
      failure instanceof Failure
        ? joinMessages(failure.userMessage, failure.advice)
        : failure
          ? String(failure)
          : '',
    finish,
  };

  async function finish({ latency, startsAt, tracker = '' }: RecordingEnd): Promise<TakeRecord> {
    isFinished = true;
    go();
    await writing;
    go();
    await writing;
    try {
      await audio.write(wavHead(record.sampleRate, samples, 'f32le'), 0, undefined, 0);
      await Promise.all([audio.sync(), face.sync()]);
    } catch (error) {
      failure ??= storageFailure(error, folder);
    } finally {
      await Promise.all([audio.close(), face.close()]);
    }
    // Not all counted data was written: the record stays at `recording`, and the files are read instead.
    if (failure) throw failure;
    const seconds = samples / record.sampleRate;
    await editPerformed(folder, seconds, record.createdAt);
    const finished: TakeRecord = {
      ...record,
      state: 'whole',
      seconds,
      missingSeconds: gaps.missing(seconds),
      tiers: tiersOf(tiers),
      latency,
      tracker,
      attempt: record.attempt && { ...record.attempt, startsAt: startsAt ?? record.attempt.startsAt },
    };
    await writeRecord(folder, finished);
    return finished;
  }
}

export const writeRecord = (folder: string, record: TakeRecord): Promise<void> =>
  writeFileAtomically(join(folder, takeFiles.record), `${JSON.stringify(record, null, 2)}\n`);
