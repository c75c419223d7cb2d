import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inEnglish } from '@likeness/messages';
import { mapConcurrent } from '@likeness/node-kit/async/map_concurrent.ts';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { syncFolder } from '@likeness/node-kit/storage/atomic_file.ts';
import { pathInside, readInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { facesOf, type PlayableFace, readArrivals, type TakeFace } from '@likeness/proto/take_stream.ts';
import type { Take } from '#contract';
import { addFace } from './add_face.ts';
import { type MakeTake, makeTakeFolder, removeHalfMade } from './edits/made_take.ts';
import { TakeEditStore } from './edits/take_edit_store.ts';
import { addOverdub } from './edits/take_overdubs.ts';
import { readFullPassFace } from './full_pass_face.ts';
import { beingRecorded, takeGone, unreadableTake } from './list/take_failures.ts';
import { TakeTrash } from './list/take_trash.ts';
import { asTake, damagedTake, newestFirst } from './listed_take.ts';
import { isTakeName, reasonOf } from './read_take.ts';
import { takeInFolder } from './recovery/take_without_record.ts';
import { readWavSound } from './sound/wav_file.ts';
import {
  maxBytesOf,
  newRecord,
  type TakeBeginning,
  type TakeRecord,
  takeFiles,
  takeId,
} from './take_record.ts';
import { startRecording, type TakeRecorder, withEnd, writeRecord } from './take_recorder.ts';
import type { TakesOptions } from './takes_options.ts';
import { playedFace } from './views/packed_face_file.ts';

/** Takes that are read and written concurrently: each waits for the disk. */
const maxConcurrentReads = 16;
const maxConcurrentWrites = 8;

/** Recordings of voice and face: one folder each. The folders are authoritative; the list is a cache. */
export class Takes {
  /** The edits of takes. */
  readonly edits: TakeEditStore;
  readonly #options: TakesOptions;
  readonly #trash: TakeTrash;
  readonly #takes = new Map<string, TakeRecord>();
  /** Unreadable takes, in listed form. */
  readonly #damaged = new Map<string, Take>();
  readonly #recording = new Set<string>();
  /** Serializes changes of records. */
  readonly #inTurn = createMutex();

  private constructor(options: TakesOptions) {
    this.#options = options;
    this.#trash = new TakeTrash(options.folder);
    this.edits = new TakeEditStore({
      folderOf: (id) => join(options.folder, this.record(id).id),
      record: (id) => this.record(id),
      clock: options.clock,
      renderSound: options.renderSound,
      onChanged: (state) => options.onEdited?.(state),
    });
  }

  /**
   * Reads the existing takes; repairs recordings that a crash interrupted.
   *
   * @throws Failure `storage`
   */
  static async open(options: TakesOptions): Promise<Takes> {
    const takes = new Takes(options);
    try {
      await mkdir(options.folder, { recursive: true, mode: 0o700 });
      await removeHalfMade(options.folder);
      const names = await readdir(options.folder);
      await mapConcurrent(maxConcurrentReads, names.filter(isTakeName), (name) => takes.#read(name));
      for (const id of [...takes.#takes.keys()]) await takes.#joinOverdub(id);
    } catch (error) {
      throw storageFailure(error, options.folder);
    }
    return takes;
  }

  async #read(name: string): Promise<void> {
    const folder = join(this.#options.folder, name);
    this.#damaged.delete(name);
    try {
      const record = await takeInFolder(folder, name);
      if (record) this.#takes.set(name, record);
    } catch (error) {
      const why = reasonOf(error);
      this.#options.warn(`The take in ${name} can't be read: ${inEnglish(why)}`);
      // A foreign folder without any take files is ignored.
      const inside = await readdir(folder).catch((): string[] => []);
      if (!Object.values(takeFiles).some((file) => inside.includes(file))) return;
      const { birthtimeMs } = await lstat(folder);
      this.#damaged.set(name, damagedTake(name, Math.max(0, Math.round(birthtimeMs)), why));
    }
  }

  /** Whether a take is being recorded. */
  get recording(): boolean {
    return this.#recording.size > 0;
  }

  /** Newest first. */
  list(): Take[] {
    const whole = [...this.#takes.values()].filter(({ id }) => !this.#recording.has(id)).map(asTake);
    return [...whole, ...this.#damaged.values()].toSorted(newestFirst);
  }

  /** As it is listed. @throws Failure `not_found` */
  listed(id: string): Take {
    return this.#damaged.get(id) ?? asTake(this.record(id));
  }

  /** Returns those of these ids that are listed. */
  some(ids: readonly string[]): Take[] {
    return ids.flatMap((id) => {
      const take = this.#recording.has(id) ? undefined : this.#takes.get(id);
      const damaged = this.#damaged.get(id);
      return damaged ?? (take ? asTake(take) : []);
    });
  }

  /** @throws Failure `not_found` */
  record(id: string): TakeRecord {
    const [found, damaged] = [this.#takes.get(id), this.#damaged.get(id)];
    if (damaged) throw unreadableTake(damaged);
    if (!found) throw takeGone();
    return found;
  }

  /** Absolute path of one of a take's files; null if the take does not exist, or the file is a link. */
  async file(id: string, what: keyof typeof takeFiles): Promise<string | null> {
    const { folder } = this.#options;
    return this.#takes.has(id) ? pathInside(folder, join(folder, id, takeFiles[what])) : null;
  }

  /** Absolute path of the edited audio; null as for `file`. @throws Failure `storage`, `unsupported` */
  async editedAudio(id: string): Promise<string | null> {
    return this.#takes.has(id) ? this.edits.sound(id) : null;
  }

  /** Absolute; also of an unreadable take. @throws Failure `not_found` */
  folderOf(id: string): string {
    if (this.#damaged.has(id)) return join(this.#options.folder, id);
    return join(this.#options.folder, this.record(id).id);
  }

  /** @throws Failure `not_found`, `storage` */
  audio(id: string): Promise<Buffer> {
    return this.#content(id, 'audio');
  }

  /** The faces to play and export. @throws Failure `not_found`, `storage` */
  async faces(id: string): Promise<TakeFace[]> {
    const second = this.record(id).shownFace === 'second' ? await readFullPassFace(this.folderOf(id)) : null;
    return second ? [second] : facesOf(readArrivals(await this.#content(id, 'face')).arrivals);
  }

  /** The face to play and export, packed while it is read. @throws Failure `not_found`, `storage` */
  playedFace = async (id: string): Promise<PlayableFace> =>
    playedFace(this.folderOf(id), this.record(id).shownFace);

  async #content(id: string, what: 'audio' | 'face'): Promise<Buffer> {
    const path = join(this.#options.folder, this.record(id).id, takeFiles[what]);
    return readInside(this.#options.folder, path, maxBytesOf(this.record(id), what)).catch(
      (error: unknown) => {
        throw storageFailure(error, path);
      },
    );
  }

  /** @throws Failure `storage` */
  async start(beginning: TakeBeginning): Promise<TakeRecorder> {
    const createdAt = this.#options.clock();
    const id = takeId(createdAt, this.#options.randomId());
    const record = newRecord(id, createdAt, beginning);
    const recorder = await startRecording(join(this.#options.folder, id), record);
    this.#recording.add(id);
    const end: TakeRecorder['finish'] = async (more) => {
      try {
        const finished = await recorder.finish(more);
        this.#takes.set(id, finished);
        await this.#joinOverdub(id, () => this.fillGaps(id));
        return finished;
      } catch (error) {
        await this.#read(id);
        throw error;
      } finally {
        this.#recording.delete(id);
        this.#changed(id);
        void this.fillGaps(id).then(() => this.#takes.has(id) && this.#options.onRecorded?.(id));
      }
    };
    return withEnd(recorder, end);
  }

  /** @throws Failure `not_found`, `storage` */
  async edit(id: string, changes: Partial<Omit<TakeRecord, 'id' | 'schemaVersion'>>): Promise<Take> {
    return asTake(await this.#change(id, changes));
  }

  /**
   * Makes missing parts of a face from the audio: a busy machine drops waiting audio, and a crash loses data
   * in transit. If it fails, the take stays unchanged and the next start tries again.
   */
  async fillGaps(id: string): Promise<void> {
    try {
      const { seconds, frameRate, missingSeconds: missing } = this.record(id);
      if (missing === 0) return;
      const face = await this.#options.speak(readWavSound(await this.audio(id)), frameRate);
      await addFace(this.folderOf(id), face, seconds);
      await this.#change(id, { missingSeconds: 0, addedSeconds: missing });
    } catch (error) {
      if (this.#takes.has(id)) this.#options.warn(`The face of the take ${id} has gaps still: ${error}`);
    }
  }

  /** Takes whose full pass waits, or was interrupted when the studio exited. */
  wanted(): string[] {
    return [...this.#takes.values()]
      .filter(({ id, secondHearing }) => secondHearing === 'wanted' && !this.#recording.has(id))
      .map(({ id }) => id);
  }

  /** The same for all that have gaps since the last call. */
  async fillAllGaps(): Promise<void> {
    for (const id of [...this.#takes.keys()]) await this.fillGaps(id);
  }

  /** Serialised, so that no change overwrites another. */
  #change(id: string, changes: Partial<TakeRecord>): Promise<TakeRecord> {
    const change = async (): Promise<TakeRecord> => {
      const changed = { ...this.record(id), ...changes };
      await writeRecord(this.folderOf(id), changed);
      this.#takes.set(id, changed);
      this.#changed(id);
      return changed;
    };
    return this.#inTurn(change);
  }

  /**
   * Changes many records, several at a time; skips unreadable ones.
   *
   * @param changes - null: leaves the record unchanged
   * @returns previous states of the changed records only
   * @throws Failure `storage`; then some may be changed
   */
  editMany(
    ids: readonly string[],
    changes: (record: TakeRecord) => Partial<TakeRecord> | null,
  ): Promise<TakeRecord[]> {
    const before: TakeRecord[] = [];
    const change = async (id: string): Promise<void> => {
      const record = this.#recording.has(id) ? undefined : this.#takes.get(id);
      const made = record && changes(record);
      if (!record || !made) return;
      const changed = { ...record, ...made };
      await writeRecord(this.folderOf(id), changed);
      this.#takes.set(id, changed);
      this.#changed(id);
      before.push(record);
    };
    return this.#inTurn(async () => {
      await mapConcurrent(maxConcurrentWrites, ids, change);
      return before;
    });
  }

  /** @throws Failure `not_found`, `storage` */
  async trash(id: string): Promise<void> {
    await this.moveOut(id, (from) => this.#trash.put(id, from));
  }

  /**
   * Removes a take from the list with a function that moves its folder. @throws Failure `not_found`,
   * `conflict`, `storage`
   */
  async moveOut(id: string, move: (folder: string) => Promise<void>): Promise<void> {
    const from = this.folderOf(id);
    if (this.#recording.has(id)) throw beingRecorded();
    await move(from);
    this.#takes.delete(id);
    this.#damaged.delete(id);
    this.#removed([id]);
  }

  /**
   * Adds a take that is made from others. @throws errors of `make`, Failure `storage`; then the take does not
   * exist
   */
  async addMade(make: MakeTake): Promise<Take> {
    const now = this.#options.clock();
    const id = takeId(now, this.#options.randomId());
    await makeTakeFolder(this.#options.folder, id, now, make);
    await this.#read(id);
    this.#changed(id);
    return this.listed(id);
  }

  /** Moves an overdub into its take. @returns the take's id; its own if there is none */
  async #joinOverdub(id: string, before?: () => Promise<void>): Promise<string> {
    const of = this.#takes.get(id)?.attempt?.of;
    if (of === undefined || of === id || !this.#takes.has(of)) return id;
    await before?.();
    await addOverdub(this.folderOf(of), this.folderOf(id), id);
    this.#takes.delete(id);
    return of;
  }

  /** Moves an overdub of a take to the trash. @param folder of the overdub @throws Failure `storage` */
  async trashOverdub(id: string, folder: string): Promise<void> {
    await this.#trash.put(id, folder);
    this.#removed([id]);
  }

  /** Restores a take, or an overdub of an existing one. @returns the take @throws `not_found`, `storage` */
  async restore(id: string): Promise<Take> {
    await this.#trash.bringBack(id);
    await this.#read(id);
    const restored = await this.#joinOverdub(id);
    this.#changed(restored);
    return this.listed(restored);
  }

  /** Takes in the trash, newest first. */
  async trashed(): Promise<Take[]> {
    return (await this.#trash.records()).toSorted(newestFirst).map(asTake);
  }

  /**
   * Erases takes permanently: voice, face and record, from the list or the trash.
   *
   * @returns How many there were.
   * @throws Failure `conflict` for one that is being recorded, `storage`
   */
  async erase(ids: readonly string[]): Promise<number> {
    const busy = ids.find((id) => this.#recording.has(id));
    if (busy !== undefined) throw beingRecorded();
    let erased = 0;
    for (const id of new Set(ids)) {
      const candidates = [join(this.#options.folder, id), this.#trash.folderOf(id)];
      const folders = isTakeName(id) ? candidates.filter((folder) => existsSync(folder)) : [];
      try {
        for (const folder of folders) await rm(folder, { recursive: true, force: true });
      } catch (error) {
        throw storageFailure(error, id);
      } finally {
        this.#takes.delete(id);
        this.#damaged.delete(id);
      }
      if (folders.length > 0) erased += 1;
    }
    await syncFolder(this.#options.folder);
    this.#removed(ids);
    return erased;
  }

  /** Erases everything in the trash. @returns How many. @throws Failure `storage` */
  async emptyTrash(): Promise<number> {
    const records = await this.#trash.records();
    await this.#trash.empty();
    this.#removed(records.map(({ id }) => id));
    return records.length;
  }

  /** Takes made with one of these heads, including trashed ones; not one that is being recorded. */
  async ofModels(models: ReadonlySet<string>): Promise<TakeRecord[]> {
    const listed = [...this.#takes.values()].filter(({ id }) => !this.#recording.has(id));
    return [...listed, ...(await this.#trash.records())].filter(({ model }) => models.has(model));
  }

  /**
   * Removes references to an erased head from takes, which then use the default head. Includes trashed ones:
   * an erased head must not be named anywhere.
   *
   * @returns How many.
   * @throws Failure `storage`
   */
  async forgetModels(models: ReadonlySet<string>): Promise<number> {
    const records = await this.ofModels(models);
    for (const { id } of records) {
      if (this.#takes.has(id)) await this.#change(id, { model: '' });
      else await this.#trash.forgetModel(id);
    }
    return records.length;
  }

  #changed(id: string): void {
    this.#options.onChanged({ changed: [id], removed: [] });
  }

  #removed(removed: readonly string[]): void {
    this.#options.onChanged({ changed: [], removed });
  }
}
