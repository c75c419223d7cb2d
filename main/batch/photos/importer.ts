import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { joinMessages, type Message, t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { openInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { decodeText } from '@likeness/proto/text/text_encoding.ts';
import { maxPeople, type PersonOfPhotos, type PhotoImport, skipReasons } from '#contract';
import type { GivenFile } from '../../base/given_file.ts';
import { type SkipReason, type Walked, walkFiles } from './file_walk.ts';
import type { ImportList } from './import_list.ts';
import { type FoundManifest, matchManifest, pathBelow, readTable, sumsOf } from './manifest_match.ts';
import { inOneEach, peopleByViews } from './people_by_name.ts';
import type { FoundPhoto, PhotoRow, PhotoTags } from './photo_row.ts';

/** Maximum number of photos in the list: more means that the user dropped a whole disk. */
const maxPhotos = 100_000;
const maxExamples = 200;
/** Photos that enter the list in one transaction. */
const atATime = 100;

export interface ImporterOptions {
  importList: ImportList;
  /** Folder of uploads. */
  photosFolder: string;
  onChanged: (intake: PhotoImport) => void;
  /** Called when photos are in the list. */
  onAdded: (ids: readonly string[]) => void;
  onDefect: (error: unknown) => void;
}

/** Maximum bytes of a table; a longer file is not a manifest. */
const maxTableBytes = 8 * 1024 * 1024;
/** Maximum number of problems to report for one manifest. */
const maxProblems = 200;

/** Hooks for a caller that imports photos for its own order and leaves the list's settings unchanged. */
export interface ImportWatch {
  /** Called with new photos and those already in the list; if set, no list of duplicates is kept. */
  onPhotos: (ids: { added: readonly string[]; there: readonly string[] }) => void;
  /** Called with the manifests that were found, instead of applying them to the list. */
  onManifest: (manifest: FoundManifest) => void;
}

/** Imports files in the background, one drop after the other. */
export class Importer {
  readonly #options: ImporterOptions;
  #current: PhotoImport | null = null;
  readonly #cancelled = new Set<string>();
  #chain: Promise<unknown> = Promise.resolve();
  #lastReportAt = 0;

  constructor(options: ImporterOptions) {
    this.#options = options;
  }

  /** The last import, running or finished. */
  get current(): PhotoImport | null {
    return this.#current;
  }

  /**
   * Starts an import; `onChanged` reports its progress. Settings of a manifest among the files are written to
   * the photos, as one undo step.
   */
  begin(files: readonly GivenFile[], watch?: ImportWatch): PhotoImport {
    return structuredClone(this.#begin(files, watch));
  }

  /** As `begin`, but waits for the end. @returns The result, even if another import began meanwhile */
  async takeAll(files: readonly GivenFile[], signal: AbortSignal, watch: ImportWatch): Promise<PhotoImport> {
    const intake = this.#begin(files, watch);
    const stop = (): void => this.cancel(intake.id);
    signal.addEventListener('abort', stop, { once: true });
    await this.#chain;
    signal.removeEventListener('abort', stop);
    return structuredClone(intake);
  }

  #begin(files: readonly GivenFile[], watch?: ImportWatch): PhotoImport {
    const intake: PhotoImport = {
      id: randomUUID(),
      state: 'running',
      found: 0,
      added: 0,
      skipped: [],
      examples: [],
      manifests: [],
      people: 0,
      message: '',
    };
    this.#current = intake;
    this.#chain = this.#chain.then(() => this.#run(intake, files, watch)).catch(this.#options.onDefect);
    return intake;
  }

  /**
   * Imports one file as a copy of the studio, unless its photo is known and its file still exists.
   *
   * @throws Failure `invalid_input` if it is not a photo, `storage`
   */
  async takeOne(path: string, fileName: string): Promise<string> {
    const { importList, photosFolder } = this.#options;
    for await (const walked of walkFiles([path])) {
      if (walked.kind === 'table') throw new Failure('invalid_input', t('walk.is_table', { fileName }));
      const photo = walked.kind === 'photo' ? await this.#found(walked, null) : walked;
      if ('reason' in photo) throw new Failure('invalid_input', photo.detail);
      const known = importList.find(photo.sha256);
      if (known && existsSync(known.path)) {
        importList.enter([known.id]);
        return known.id;
      }
      const kept = join(photosFolder, `${photo.sha256}.${photo.format}`);
      try {
        await mkdir(photosFolder, { recursive: true, mode: 0o700 });
        await copyFile(path, kept);
        await chmod(kept, 0o600);
      } catch (error) {
        throw storageFailure(error, kept);
      }
      const { added, duplicates } = importList.add([{ ...photo, path: kept, owned: true, fileName }]);
      const id = added[0] ?? duplicates[0]?.ofId;
      if (id) return id;
    }
    throw new Failure('not_found', t('batch.file_gone', { fileName }));
  }

  cancel(id: string): void {
    this.#cancelled.add(id);
  }

  /** Resolves when all given files are imported. */
  async settled(): Promise<void> {
    await this.#chain;
  }

  async #run(intake: PhotoImport, files: readonly GivenFile[], watch?: ImportWatch): Promise<void> {
    const uploads = files.filter(({ temporary }) => temporary);
    const paths = files.filter(({ temporary }) => !temporary).map(({ path }) => path);
    let batch: FoundPhoto[] = [];
    const tables: { table: FoundTable; upload: GivenFile | null }[] = [];
    const names = new Set<string>();
    const found: TakenIn = { added: [], there: [] };
    const flush = (): void => {
      const { added, duplicates } = this.#options.importList.add(batch);
      intake.added += added.length;
      for (const { fileName, of, itself } of duplicates) {
        if (!(watch && itself)) skip(intake, fileName, 'duplicate', t('walk.same_as', { of }));
      }
      batch = [];
      const there = duplicates.map(({ ofId }) => ofId);
      found.added.push(...added);
      found.there.push(...there);
      watch?.onPhotos({ added, there });
      this.#options.onAdded(added);
      this.#publish(intake);
    };
    const take = async (walked: Walked, upload: GivenFile | null): Promise<void> => {
      intake.found += 1;
      if (walked.kind === 'skipped') {
        skip(intake, upload?.name ?? walked.fileName, walked.reason, walked.detail);
        if (upload) await rm(upload.path, { force: true });
        this.#publish(intake, false);
        return;
      }
      if (walked.kind === 'table') {
        tables.push({ table: walked, upload });
        return;
      }
      const photo = await this.#found(walked, upload);
      if ('reason' in photo) skip(intake, walked.fileName, photo.reason, photo.detail);
      else {
        batch.push(photo);
        names.add(photo.fileName);
      }
      if (batch.length >= atATime) flush();
      else this.#publish(intake, false);
    };
    try {
      const room = (): boolean =>
        !this.#cancelled.has(intake.id) && this.#options.importList.sums().photos + batch.length < maxPhotos;
      for await (const walked of walkFiles(paths)) {
        if (intake.found % atATime === 0 && !room()) break;
        if (this.#cancelled.has(intake.id)) break;
        await take(walked, null);
      }
      for (const upload of uploads) {
        if (this.#cancelled.has(intake.id)) {
          await rm(upload.path, { force: true });
          continue;
        }
        for await (const walked of walkFiles([upload.path], calledAs(upload))) {
          await take(named(walked, upload), upload);
        }
      }
      flush();
      // A table is read after its photos, because their names reveal its encoding.
      const manifests = await this.#readTables(tables, names, intake);
      // Manifests of deeper folders override those above.
      manifests.sort((a, b) => a.name.split('/').length - b.name.split('/').length);
      if (watch) for (const manifest of manifests) watch.onManifest(manifest);
      else {
        this.#options.importList.asOneStep(() => {
          this.#apply(manifests, found, intake);
          this.#joinByViews(found.added, intake);
        });
      }
      const full = this.#options.importList.sums().photos >= maxPhotos;
      if (full) skip(intake, '', 'too_many', t('walk.tray_full', { most: maxPhotos }));
      intake.state = this.#cancelled.has(intake.id) ? 'cancelled' : 'done';
    } catch (error) {
      const failure = storageFailure(error, this.#options.photosFolder);
      intake.state = 'failed';
      intake.message =
        failure instanceof Failure ? joinMessages(failure.userMessage, failure.advice) : String(failure);
      if (!(failure instanceof Failure)) this.#options.onDefect(error);
    } finally {
      this.#cancelled.delete(intake.id);
      this.#publish(intake);
    }
  }

  async #readTables(
    tables: readonly { table: FoundTable; upload: GivenFile | null }[],
    names: ReadonlySet<string>,
    intake: PhotoImport,
  ): Promise<FoundManifest[]> {
    const manifests: FoundManifest[] = [];
    const expected = (): Iterable<string> =>
      names.size > 0
        ? names
        : this.#options.importList.selected({ filter: {} }).map(({ fileName }) => fileName);
    for (const { table, upload } of tables) {
      const manifest = await readManifest(table, upload !== null, expected);
      if ('reason' in manifest) skip(intake, table.fileName, manifest.reason, manifest.detail);
      else manifests.push(manifest);
      if (upload) await rm(upload.path, { force: true });
    }
    return manifests;
  }

  /** Applies manifests to the photos that came with them. */
  #apply(manifests: readonly FoundManifest[], { added, there }: TakenIn, intake: PhotoImport): void {
    if (manifests.length === 0) return;
    const { importList } = this.#options;
    const came = [...added, ...there];
    // A manifest that came alone applies to the whole list.
    const photos = importList.selected(came.length > 0 ? { ids: came } : { filter: {} });
    const isNew = new Set(added);
    const changes = new Map<string, { photo: PhotoRow; set: PhotoTags }>();
    const people: PersonOfPhotos[] = [];
    for (const manifest of manifests) {
      const match = matchManifest(manifest, photos);
      const { problems } = match;
      const theirs = match.people.filter(({ ids }) => manifest.given || ids.every((id) => isNew.has(id)));
      people.push(...theirs);
      // The user's settings of an existing photo stay, unless the manifest was given by itself.
      const assignments = match.assignments.map(({ photo, set }) => ({
        photo,
        set: manifest.given || isNew.has(photo.id) ? set : missingTags(photo, set),
      }));
      for (const { photo, set } of assignments)
        changes.set(photo.id, { photo, set: { ...changes.get(photo.id)?.set, ...set } });
      intake.manifests.push({
        fileName: manifest.name,
        applied: assignments.length,
        set: sumsOf({ assignments, people: theirs }),
        problems: problems.slice(0, maxProblems),
      });
    }
    this.#options.onAdded(importList.tag('manifest', [...changes.values()]));
    if (people.length > 0) this.#options.onAdded(importList.people.join(inOneEach(people)));
  }

  /** Photos that came together and whose names state their views are one person; see `peopleByViews`. */
  #joinByViews(added: readonly string[], intake: PhotoImport): void {
    const { importList } = this.#options;
    const alone = importList
      .selected({ ids: [...added] })
      .filter(({ id, frontId }) => frontId === null && importList.people.othersOf(id).length === 0);
    const people = peopleByViews(alone).slice(0, maxPeople);
    if (people.length === 0) return;
    intake.people = people.length;
    this.#options.onAdded(importList.people.join(people));
  }

  async #found(
    walked: Extract<Walked, { kind: 'photo' }>,
    upload: GivenFile | null,
  ): Promise<FoundPhoto | { reason: SkipReason; detail: Message }> {
    const hash = createHash('sha256');
    try {
      // The hash is of the bytes that are sent: the queue compares it.
      const file = await (walked.within === null
        ? open(walked.path)
        : openInside(walked.within, walked.path));
      await pipeline(file.createReadStream(), hash);
    } catch (error) {
      if (['ENOSPC', 'EIO'].includes(fileErrorCode(error))) throw error;
      return { reason: 'unreadable', detail: t('walk.file_unreadable') };
    }
    const sha256 = hash.digest('hex');
    return {
      id: randomUUID(),
      path: upload ? await this.#keep(walked.path, `${sha256}.${walked.format}`) : walked.path,
      owned: upload !== null,
      fileName: walked.fileName,
      folder: walked.folder,
      format: walked.format,
      bytes: walked.bytes,
      sha256,
    };
  }

  async #keep(path: string, name: string): Promise<string> {
    const kept = join(this.#options.photosFolder, name);
    await mkdir(this.#options.photosFolder, { recursive: true, mode: 0o700 });
    try {
      await rename(path, kept);
    } catch (error) {
      if (fileErrorCode(error) !== 'EXDEV') throw error;
      await copyFile(path, kept);
      await chmod(kept, 0o600);
      await rm(path, { force: true });
    }
    return kept;
  }

  /** @param now - False: only if some time has passed since the last report. */
  #publish(intake: PhotoImport, now = true): void {
    const time = performance.now();
    if (!now && time - this.#lastReportAt < 100) return;
    this.#lastReportAt = time;
    this.#options.onChanged(structuredClone(intake));
  }
}

/** Ids of new photos in the list, and of existing ones. */
interface TakenIn {
  added: string[];
  there: string[];
}

/** Returns the fields that are not set on the photo yet. */
function missingTags(photo: PhotoRow, { sex, eyelidType, name, tags }: PhotoTags): PhotoTags {
  return {
    ...(sex && photo.sex === null && { sex }),
    ...(eyelidType && photo.eyelidType === null && { eyelidType }),
    ...(name !== undefined && photo.fileName.startsWith(`${photo.name}.`) && { name }),
    ...(tags && photo.tags.length === 0 && { tags }),
  };
}

type FoundTable = Extract<Walked, { kind: 'table' }>;

async function readManifest(
  { path, within, fileName, folder, bytes }: FoundTable,
  isUpload: boolean,
  expected: () => Iterable<string>,
): Promise<FoundManifest | { reason: SkipReason; detail: Message }> {
  if (bytes > maxTableBytes) return { reason: 'no_manifest', detail: t('walk.table_too_large') };
  let text: string;
  try {
    const file = await (within === null ? open(path) : openInside(within, path));
    try {
      text = decodeText(await file.readFile(), expected);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (['ENOSPC', 'EIO'].includes(fileErrorCode(error))) throw error;
    return { reason: 'unreadable', detail: t('walk.file_unreadable') };
  }
  const manifest = readTable(text, {
    name: pathBelow({ folder, fileName }),
    folder,
    path: isUpload ? null : path,
    given: within === null && folder === '',
  });
  return manifest ?? { reason: 'no_manifest', detail: t('walk.no_manifest') };
}

function skip(intake: PhotoImport, fileName: string, reason: SkipReason, detail: Message): void {
  const sum = intake.skipped.find((one) => one.reason === reason);
  if (sum) sum.count += 1;
  else {
    intake.skipped.push({ reason, count: 1 });
    intake.skipped.sort((a, b) => skipReasons.indexOf(a.reason) - skipReasons.indexOf(b.reason));
  }
  if (intake.examples.length < maxExamples) intake.examples.push({ fileName, reason, detail });
}

/** An upload has a name of ours; its original path comes from the user's name for it. */
function named(walked: Walked, upload: GivenFile): Walked {
  const parts = partsOf(upload);
  const fileName = parts.at(-1) ?? basename(walked.fileName);
  return walked.kind === 'skipped'
    ? { ...walked, fileName }
    : { ...walked, fileName, folder: parts.slice(0, -1).join('/') };
}

const partsOf = ({ name }: GivenFile): string[] =>
  name.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
const calledAs = (upload: GivenFile): string | undefined => partsOf(upload).at(-1);
