import { rmSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { t } from '@likeness/messages';
import { byNaturalOrder, naturalKey } from '@likeness/node-kit/natural_order.ts';
import { transaction } from '@likeness/node-kit/storage/database.ts';
import { preparedOnce } from '@likeness/node-kit/storage/prepared.ts';
import { chosenOptions } from '@likeness/proto/heads/head_options.ts';
import type { Photo, PhotoFilter, PhotoFinding, PhotoStep, PhotoStepName } from '#contract';
import type { FoundOutline } from '../ports.ts';
import { ImportedPeople } from './imported_people.ts';
import { conditionsOf, ofNoJob, orders } from './photo_filter.ts';
import { checkOf, ofOutline, warningOf } from './photo_findings.ts';
import {
  asPhoto,
  type Duplicate,
  type FoundPhoto,
  fieldsChanged,
  type PhotoCheck,
  type PhotoRow,
  type PhotoSelection,
  type PhotoTags,
  tagsOf,
} from './photo_row.ts';

/** A step that can be undone: its name and its photos. */
export interface UndoStep {
  what: PhotoStepName;
  ids: readonly string[];
  /** Undoes it, and returns the ids of the photos that changed. */
  takeBack: () => string[];
  /** As `takeBack`, redoes it; null: it can't be redone. */
  again: (() => string[]) | null;
}

/** Maximum number of undo steps. */
const maxUndoSteps = 100;

/** The photos that are not queued yet, and the rows of queued ones. */
export class ImportList {
  readonly #db: DatabaseSync;
  readonly #clock: () => number;
  readonly #prepare: ReturnType<typeof preparedOnce>;
  #undo: UndoStep[] = [];
  #redo: UndoStep[] = [];
  /** Groups photos by person. */
  readonly people: ImportedPeople;

  constructor(db: DatabaseSync, clock: () => number) {
    this.#db = db;
    this.#clock = clock;
    this.#prepare = preparedOnce(db);
    this.people = new ImportedPeople(db, (step) => this.remember(step));
    this.#orderOld();
  }

  /** Fills the sort key of rows from versions that had no natural order. */
  #orderOld(): void {
    const old = this.#db.prepare('SELECT id, fileName FROM photos WHERE nameKey IS NULL').all();
    if (old.length === 0) return;
    transaction(this.#db, () => {
      const set = this.#prepare('UPDATE photos SET nameKey = ? WHERE id = ?');
      for (const { id, fileName } of old) set.run(naturalKey(String(fileName)), String(id));
    });
  }

  /**
   * Imports photos. Skips photos whose content is already in the list. A photo that was queued or removed
   * returns with its new path.
   *
   * @returns Ids of the imported photos, and for each skipped one the name of the existing photo.
   */
  add(photos: readonly FoundPhoto[]): { added: string[]; duplicates: Duplicate[] } {
    const added: string[] = [];
    const duplicates: Duplicate[] = [];
    transaction(this.#db, () => {
      let sequence = Number(this.#prepare('SELECT max(sequence) AS last FROM photos').get()?.last ?? 0);
      for (const photo of photos) {
        const there = this.#prepare('SELECT * FROM photos WHERE sha256 = ?').get(photo.sha256);
        if (there?.inTray === 1) {
          duplicates.push({
            fileName: photo.fileName,
            of: String(there.fileName),
            ofId: String(there.id),
            itself: there.path === photo.path,
          });
          continue;
        }
        sequence += 1;
        const now = this.#clock();
        if (there) {
          this.#prepare(
            `UPDATE photos SET inTray = 1, frontId = NULL, frontChosen = 0, path = ?, owned = ?, fileName = ?, nameKey = ?, folder = ?,
               addedAt = ?, sequence = ? WHERE id = ?`,
          ).run(
            photo.path,
            Number(photo.owned),
            photo.fileName,
            naturalKey(photo.fileName),
            photo.folder,
            now,
            sequence,
            String(there.id),
          );
          added.push(String(there.id));
          continue;
        }
        this.#prepare(
          `INSERT INTO photos (id, path, owned, fileName, nameKey, folder, format, bytes, sha256, addedAt, sequence,
             name, tags, inTray) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '[]', 1)`,
        ).run(
          photo.id,
          photo.path,
          Number(photo.owned),
          photo.fileName,
          naturalKey(photo.fileName),
          photo.folder,
          photo.format,
          photo.bytes,
          photo.sha256,
          now,
          sequence,
          photo.fileName.replace(/\.[^.]*$/, '').slice(0, 120) || photo.fileName,
        );
        added.push(photo.id);
      }
    });
    return { added, duplicates };
  }

  get(id: string): PhotoRow | null {
    const row = this.#prepare('SELECT * FROM photos WHERE id = ?').get(id);
    return row ? asPhoto(row) : null;
  }

  /** Returns a photo by its content, whether in the list or not. */
  find(sha256: string): PhotoRow | null {
    const row = this.#prepare('SELECT * FROM photos WHERE sha256 = ?').get(sha256);
    return row ? asPhoto(row) : null;
  }

  /** Whether a photo is in the list. */
  isIn(id: string): boolean {
    return this.#prepare('SELECT 1 FROM photos WHERE id = ? AND inTray = 1').get(id) !== undefined;
  }

  /** Whether a photo has its own entry in the list: it is in the list and is its person's front photo. */
  isListed(id: string): boolean {
    return (
      this.#prepare('SELECT 1 FROM photos WHERE id = ? AND inTray = 1 AND frontId IS NULL').get(id) !==
      undefined
    );
  }

  /** Returns the index of a photo in the filtered list; −1: not in it. */
  indexOf(id: string, filter: PhotoFilter): number {
    const { where, values } = conditionsOf(filter);
    return this.#prepare(`SELECT id FROM photos WHERE ${where} ORDER BY ${orders[filter.sort ?? 'name']}`)
      .all(...values)
      .findIndex((row) => row.id === id);
  }

  page(filter: PhotoFilter, offset: number, limit: number): { photos: PhotoRow[]; total: number } {
    const { where, values } = conditionsOf(filter);
    const total = Number(this.#prepare(`SELECT count(*) AS n FROM photos WHERE ${where}`).get(...values)?.n);
    const photos = this.#prepare(
      `SELECT * FROM photos WHERE ${where} ORDER BY ${orders[filter.sort ?? 'name']} LIMIT ? OFFSET ?`,
    )
      .all(...values, limit, offset)
      .map(asPhoto);
    return { photos, total };
  }

  /** Returns the photos of the list in their order. */
  selected(selection: PhotoSelection): PhotoRow[] {
    if ('filter' in selection) return this.page(selection.filter, 0, -1).photos;
    const wanted = new Set(selection.ids);
    const photos: PhotoRow[] = [];
    for (const id of wanted) {
      const row = this.#prepare('SELECT * FROM photos WHERE id = ? AND inTray = 1').get(id);
      if (row) photos.push(asPhoto(row));
    }
    return photos;
  }

  /** Folders of the photos in the list and of those with a job. */
  folders(): { folder: string; photos: number }[] {
    return this.#prepare(
      `SELECT folder, count(*) AS n FROM photos
       WHERE frontId IS NULL AND (inTray = 1 OR id IN (SELECT photoId FROM jobs)) GROUP BY 1`,
    )
      .all()
      .map((row) => ({ folder: String(row.folder), photos: Number(row.n) }))
      .sort((a, b) => byNaturalOrder(a.folder, b.folder));
  }

  sums(): { photos: number; untagged: number; corrected: number; checks: Record<Photo['check'], number> } {
    const checks = { pending: 0, ok: 0, warning: 0, blocked: 0 };
    let untagged = 0;
    let corrected = 0;
    let photos = 0;
    const rows = this.#prepare(
      'SELECT "check", count(*) AS n, sum(sex IS NULL) AS untagged, count(corrections) AS corrected FROM photos WHERE inTray = 1 AND frontId IS NULL GROUP BY 1',
    ).all();
    for (const row of rows) {
      checks[row.check as Photo['check']] = Number(row.n);
      photos += Number(row.n);
      untagged += Number(row.untagged);
      corrected += Number(row.corrected);
    }
    return { photos, untagged, corrected, checks };
  }

  /** Returns the unchecked photos, oldest first. */
  unchecked(limit: number): PhotoRow[] {
    return this.#prepare(
      `SELECT * FROM photos WHERE inTray = 1 AND "check" = 'pending' ORDER BY sequence LIMIT ?`,
    )
      .all(limit)
      .map(asPhoto);
  }

  setCheck(
    id: string,
    { width, height, findings, face, suggestedCrop, yaw = null }: PhotoCheck,
  ): Photo['check'] {
    const check = checkOf(findings, this.get(id)?.anyway ?? false);
    this.#prepare(
      `UPDATE photos SET "check" = ?, width = ?, height = ?, findings = ?, face = ?, suggestedCrop = ?, yaw = ?, outline = NULL
       WHERE id = ?`,
    ).run(check, width, height, JSON.stringify(findings), json(face), json(suggestedCrop), yaw, id);
    return check;
  }

  /** Returns photos that can become a head and have no outline yet, oldest first. */
  unoutlined(limit: number): PhotoRow[] {
    return this.#prepare(
      `SELECT * FROM photos WHERE inTray = 1 AND frontId IS NULL AND "check" IN ('ok', 'warning') AND outline IS NULL
       ORDER BY sequence LIMIT ?`,
    )
      .all(limit)
      .map(asPhoto);
  }

  /** @param outline - Null if it was not found: the check reports that. */
  setOutline(id: string, outline: FoundOutline | null): void {
    const photo = this.get(id);
    if (!photo || photo.check === 'pending') return;
    const findings = photo.findings.filter(({ code }) => !ofOutline.has(code));
    // A corrected outline was also reviewed.
    if (outline && !outline.sure && !photo.corrections) {
      findings.push(warningOf('uncertain_outline', t('photo.uncertain_outline')));
    }
    if (outline?.cutOff) {
      findings.push(warningOf('hair_cut_off', t('photo.hair_cut_off')));
    }
    this.#prepare('UPDATE photos SET outline = ? WHERE id = ?').run(outline?.score ?? 1, id);
    this.#setFindings(photo, findings);
  }

  /** Marks photos to be checked again. @returns Their ids. */
  uncheck(selection: PhotoSelection): string[] {
    const photos = this.selected(selection);
    transaction(this.#db, () => {
      for (const { id } of photos)
        this.#prepare(`UPDATE photos SET "check" = 'pending' WHERE id = ?`).run(id);
    });
    return photos.map(({ id }) => id);
  }

  /**
   * Changes the tags of many photos as one undo step.
   *
   * @returns Ids of those that changed.
   */
  tag(what: PhotoStep, changes: readonly { photo: PhotoRow; set: PhotoTags }[]): string[] {
    const changed = changes.filter(({ photo, set }) => fieldsChanged(photo, set).length > 0);
    if (changed.length === 0) return [];
    const before = changed.map(({ photo }) => ({ id: photo.id, tags: tagsOf(photo) }));
    const after = changed.map(({ photo, set }) => ({ id: photo.id, tags: { ...tagsOf(photo), ...set } }));
    const ids = changed.map(({ photo }) => photo.id);
    const write = (tags: typeof after): string[] => {
      this.#writeTags(tags);
      return ids;
    };
    write(after);
    this.remember({
      what: `${what} (${changed.length})`,
      ids,
      takeBack: () => write(before),
      again: () => write(after),
    });
    return ids;
  }

  /** Removes photos from the list, as one undo step. @returns Their ids. */
  remove(selection: PhotoSelection): string[] {
    const photos = this.selected(selection);
    const ids = photos.map(({ id }) => id);
    if (ids.length === 0) return [];
    let restore = (): string[] => [];
    const remove = (): string[] => {
      restore = this.people.leaveTheirs(photos);
      this.leave(ids);
      return ids;
    };
    const takeBack = (): string[] => {
      this.enter(ids);
      restore();
      return ids;
    };
    remove();
    this.remember({ what: `remove (${ids.length})`, ids, takeBack, again: remove });
    return ids;
  }

  /** Returns photos to the list. */
  enter(ids: readonly string[]): void {
    this.#setListed(ids, 1);
  }

  /** Removes photos from the list. */
  leave(ids: readonly string[]): void {
    this.#setListed(ids, 0);
  }

  /**
   * Photos were queued: undo steps that concern only them are dropped, because nobody would see the effect.
   * What was undone can't be redone any more: it may concern them.
   */
  queued(ids: readonly string[]): void {
    this.leave(ids);
    const gone = new Set(ids);
    this.#redo = [];
    this.#undo = this.#undo.filter((step) => step.ids.length === 0 || !step.ids.every((id) => gone.has(id)));
  }

  /** Groups all changes made within into one undo step. */
  asOneStep<T>(work: () => T): T {
    const before = this.#undo;
    this.#undo = [];
    try {
      return work();
    } finally {
      const steps = this.#undo;
      this.#undo = before;
      const [first] = steps;
      const ids = [...new Set(steps.flatMap((step) => step.ids))];
      if (first)
        this.remember({
          what: first.what,
          ids,
          takeBack: () => steps.toReversed().flatMap(({ takeBack }) => takeBack()),
          again: () => steps.flatMap(({ again }) => again?.() ?? []),
        });
    }
  }

  /** Name of the next undo step; empty if there is none. */
  get undoable(): string {
    return this.#undo.at(-1)?.what ?? '';
  }

  /** Undoes the last step. @returns Its name, and which photos changed. */
  undo(): { what: string; ids: string[] } {
    const step = this.#undo.pop();
    if (!step) return { what: '', ids: [] };
    const ids = step.takeBack();
    this.#redo.push(step);
    return { what: step.what, ids };
  }

  /** Redoes the step that was undone last. @returns Its name, and which photos changed; null: it can't be. */
  redo(): { what: string; ids: string[] | null } {
    const step = this.#redo.pop();
    if (!step) return { what: '', ids: [] };
    const ids = step.again?.() ?? null;
    if (ids) this.#undo.push(step);
    return { what: step.what, ids };
  }

  /** Hashes of all known photos. */
  hashes(): string[] {
    return this.#prepare('SELECT sha256 FROM photos')
      .all()
      .map(({ sha256 }) => String(sha256));
  }

  /** At the start, removes rows and copied files that no list entry, job or undo step needs. */
  purge(): void {
    this.#purge(`inTray = 0 AND ${ofNoJob}`, []);
  }

  /** Forgets photos of an erased person by their hash, if no job needs them. @returns Their ids. */
  forget(hashes: readonly string[]): string[] {
    const gone: string[] = [];
    for (const hash of hashes) {
      gone.push(...this.#purge(`sha256 = ? AND ${ofNoJob}`, [hash]));
    }
    if (gone.length > 0) {
      this.#undo = [];
      this.#redo = [];
    }
    return gone;
  }

  #purge(where: string, values: SQLInputValue[]): string[] {
    const rows = this.#prepare(`SELECT id, path, owned FROM photos WHERE ${where}`).all(...values);
    // A photo whose front photo was removed stands alone.
    for (const { id } of rows)
      this.#prepare('UPDATE photos SET frontId = NULL WHERE frontId = ?').run(String(id));
    for (const { path, owned } of rows) if (owned === 1) rmSync(String(path), { force: true });
    this.#prepare(`DELETE FROM photos WHERE ${where}`).run(...values);
    return rows.map(({ id }) => String(id));
  }

  /** Adds an undo step. */
  remember(step: UndoStep): void {
    this.#undo.push(step);
    this.#redo = [];
    if (this.#undo.length > maxUndoSteps) this.#undo.shift();
  }

  #setListed(ids: readonly string[], listed: 0 | 1): void {
    transaction(this.#db, () => {
      for (const id of ids)
        this.#prepare('UPDATE photos SET inTray = ?1 WHERE id = ?2 OR frontId = ?2').run(listed, id);
    });
  }

  /** A photo whose crop changes is checked again: another crop may show another face. */
  #writeTags(changes: readonly { id: string; tags: Required<PhotoTags> }[]): void {
    transaction(this.#db, () => {
      for (const { id, tags } of changes) {
        this.#prepare(
          `UPDATE photos SET sex = ?, eyelidType = ?, name = ?, tags = ?, crop = ?, corrections = ?, options = ?, anyway = ?,
             outline = CASE WHEN crop IS ? AND corrections IS ? THEN outline END,
             "check" = CASE WHEN crop IS ? THEN "check" ELSE 'pending' END WHERE id = ?`,
        ).run(
          tags.sex,
          tags.eyelidType,
          tags.name,
          JSON.stringify(tags.tags),
          json(tags.crop),
          json(tags.corrections),
          json(chosenOptions(tags.options)),
          Number(tags.anyway),
          json(tags.crop),
          json(tags.corrections),
          json(tags.crop),
          id,
        );
        this.#forgetOutline(id);
        const photo = this.get(id);
        if (photo && photo.check !== 'pending') this.#setFindings(photo, photo.findings);
      }
    });
  }

  /** A correction invalidates the stored outline. */
  #forgetOutline(id: string): void {
    const row = this.#prepare('SELECT * FROM photos WHERE id = ? AND outline IS NULL').get(id);
    const photo = row && asPhoto(row);
    if (!photo || photo.check === 'pending') return;
    const findings = photo.findings.filter(({ code }) => !ofOutline.has(code));
    this.#setFindings(photo, findings);
  }

  #setFindings({ id, anyway }: PhotoRow, findings: readonly PhotoFinding[]): void {
    this.#prepare('UPDATE photos SET findings = ?, "check" = ? WHERE id = ?').run(
      JSON.stringify(findings),
      checkOf(findings, anyway),
      id,
    );
  }
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
