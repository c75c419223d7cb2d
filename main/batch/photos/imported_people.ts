import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { transaction } from '@likeness/node-kit/storage/database.ts';
import { preparedOnce } from '@likeness/node-kit/storage/prepared.ts';
import { maxPhotosPerPerson } from '@likeness/proto/heads/person_photos.ts';
import type { PersonOfPhotos, PhotoStepName } from '#contract';
import { asPhoto, type PhotoRow } from './photo_row.ts';
import { frontness } from './photo_views.ts';

/** Fields that grouping or splitting may change. */
const changedColumns = [
  'frontId',
  'place',
  'frontChosen',
  'sex',
  'eyelidType',
  'name',
  'tags',
  'options',
] as const;

/** By how many degrees another photo must look further to the front before it becomes the front photo. */
const clearlyBetter = 8;

/** Saves an undo step: its name, its photos, and the functions that undo and redo it. */
type Remember = (step: {
  what: PhotoStepName;
  ids: readonly string[];
  takeBack: () => string[];
  again: () => string[];
}) => void;

/**
 * Groups the photos of the list by person. The list shows the front photo, and its settings apply; the others
 * name it as their `frontId`.
 */
export class ImportedPeople {
  readonly #db: DatabaseSync;
  readonly #prepare: ReturnType<typeof preparedOnce>;
  readonly #remember: Remember;

  constructor(db: DatabaseSync, remember: Remember) {
    this.#db = db;
    this.#prepare = preparedOnce(db);
    this.#remember = remember;
  }

  /** The additional photos of a front photo, in their order. */
  othersOf(frontId: string): PhotoRow[] {
    // Forces its index: SQLite would otherwise read the whole list, and this runs for each photo in it.
    return this.#prepare(
      'SELECT * FROM photos INDEXED BY photos_by_front WHERE frontId = ? AND inTray = 1 ORDER BY place, sequence',
    )
      .all(frontId)
      .map(asPhoto);
  }

  /** Returns the front photos of these photos, each once. */
  frontsOf(ids: readonly string[]): string[] {
    return [...new Set(ids.map((id) => this.#get(id)?.frontId ?? id))];
  }

  /**
   * Groups photos into persons, as one undo step. A photo brings its whole person.
   *
   * @returns Ids of all photos that changed.
   * @throws Failure `invalid_input`: more than eight photos of a person, or a photo in two; `not_found`
   */
  join(people: readonly PersonOfPhotos[]): string[] {
    const { changed, exchange } = this.joinMeanwhile(people);
    if (changed.length > 0)
      this.#remember({
        what: `same person (${people.length})`,
        ids: changed,
        takeBack: exchange,
        again: exchange,
      });
    return changed;
  }

  /**
   * As `join`, for a caller that handles undo.
   *
   * @returns Ids of all photos of these people, and of those people who changed.
   */
  joinMeanwhile(people: readonly PersonOfPhotos[]): {
    ids: string[];
    changed: string[];
    /** Undoes it; the next time, redoes it. */
    exchange: () => string[];
  } {
    const members = people.map(({ ids }) => this.#wholeOf(ids));
    const all = members.flat();
    if (new Set(all.map(({ id }) => id)).size < all.length)
      throw new Failure('invalid_input', t('person.in_two'), { hint: t('person.one_each') });
    for (const photos of members) {
      if (photos.length <= maxPhotosPerPerson) continue;
      const values = { count: photos.length, most: maxPhotosPerPerson };
      throw new Failure('invalid_input', t('person.too_many', values), { hint: t('person.leave_out') });
    }
    const exchange = this.#snapshot(all);
    transaction(this.#db, () => {
      for (const [index, photos] of members.entries()) {
        const { front, name } = people[index] ?? {};
        const chosen = photos.find(({ id }) => id === front);
        // An existing person keeps the front photo, which the user may have chosen.
        const [first] = photos;
        const leads = first && photos.every(({ id, frontId }) => (frontId ?? id) === first.id) ? first : null;
        this.#lead(photos, chosen ?? leads ?? bestFront(photos), {
          chosen: chosen !== undefined || leads?.frontChosen === true,
          ...(name !== undefined && { name }),
        });
      }
    });
    return {
      ids: all.map(({ id }) => id),
      changed: members.flatMap((photos) => this.#changedOf(photos)),
      exchange,
    };
  }

  /**
   * Splits people into single photos, as one undo step; an additional photo leaves alone.
   *
   * @returns Ids of all photos that changed, and how many people there were.
   */
  separate(photos: readonly PhotoRow[]): { ids: string[]; separated: number } {
    const leaving = new Map<string, PhotoRow>();
    const people = new Set<string>();
    for (const photo of photos) {
      const theirs = photo.frontId === null ? this.othersOf(photo.id) : [photo];
      for (const one of theirs) leaving.set(one.id, one);
      if (theirs.length > 0) people.add(photo.frontId ?? photo.id);
    }
    if (leaving.size === 0) return { ids: [], separated: 0 };
    const exchange = this.#snapshot([...leaving.values()]);
    transaction(this.#db, () => {
      for (const id of leaving.keys()) this.#setFront(id, null, 0);
    });
    const ids = [...leaving.keys(), ...people];
    const exchangeAll = (): string[] => [...exchange(), ...people];
    this.#remember({ what: `separate (${people.size})`, ids, takeBack: exchangeAll, again: exchangeAll });
    return { ids, separated: people.size };
  }

  /** Makes another photo of a person the front photo, as one undo step. @returns Ids that changed. */
  chooseFront(id: string): string[] {
    const photo = this.#get(id);
    if (!photo) throw new Failure('not_found', t('batch.photo_gone'), { hint: t('batch.add_again') });
    const photos = this.#wholeOf([photo.frontId ?? id]);
    const chosen = photos.find((one) => one.id === id);
    if (!chosen || photos.length < 2) return [];
    const exchange = this.#snapshot(photos);
    transaction(this.#db, () => this.#lead(photos, chosen, { chosen: true }));
    const ids = this.#changedOf(photos);
    if (ids.length > 0) this.#remember({ what: 'front photo', ids, takeBack: exchange, again: exchange });
    return ids;
  }

  /**
   * After a check: the photo that looks clearly more to the front becomes the front photo, unless the user
   * chose one.
   *
   * @returns Ids that changed; none if all stays.
   */
  elect(id: string): string[] {
    const photo = this.#get(id);
    if (!photo) return [];
    const photos = this.#wholeOf([photo.frontId ?? id]);
    const [front] = photos;
    if (!front || photos.length < 2 || front.frontChosen || photos.some(({ check }) => check === 'pending'))
      return [];
    const best = bestFront(photos);
    if (frontness(best) + clearlyBetter >= frontness(front)) return [];
    transaction(this.#db, () => this.#lead(photos, best, { chosen: false }));
    return photos.map((one) => one.id);
  }

  /** Additional photos that leave the list also leave their person. @returns A function that undoes this. */
  leaveTheirs(photos: readonly PhotoRow[]): () => string[] {
    const gone = new Set(photos.map(({ id }) => id));
    const alone = photos.filter(({ frontId }) => frontId !== null && !gone.has(frontId));
    const restore = this.#snapshot(alone);
    for (const { id } of alone) this.#setFront(id, null, 0);
    return restore;
  }

  /** Returns these photos, each with those of its person, the front one first. @throws Failure `not_found` */
  #wholeOf(ids: readonly string[]): PhotoRow[] {
    const whole = new Map<string, PhotoRow>();
    for (const id of this.frontsOf(ids)) {
      const front = this.#get(id);
      if (!front) throw new Failure('not_found', t('batch.photo_gone'), { hint: t('batch.add_again') });
      for (const photo of [front, ...this.othersOf(id)]) whole.set(photo.id, photo);
    }
    return [...whole.values()];
  }

  /** Settings of any photo of the person move to the front photo. */
  #lead(photos: readonly PhotoRow[], front: PhotoRow, how: { chosen: boolean; name?: string }): void {
    const before = photos[0] ?? front;
    const firstSet = <K extends 'sex' | 'eyelidType' | 'options'>(field: K): PhotoRow[K] =>
      [front, ...photos].find((photo) => photo[field] !== null)?.[field] ?? front[field];
    const tags = [...new Set(photos.flatMap((photo) => photo.tags))].slice(0, 50);
    // A name that the user gave follows the person; a file's name stays with the file.
    const name = how.name ?? (isFilesOwn(before) ? front.name : before.name);
    const options = firstSet('options');
    this.#prepare(
      `UPDATE photos SET frontId = NULL, place = 0, frontChosen = ?, sex = ?, eyelidType = ?, name = ?, tags = ?,
         options = ? WHERE id = ?`,
    ).run(
      Number(how.chosen),
      firstSet('sex'),
      firstSet('eyelidType'),
      name,
      JSON.stringify(tags),
      options && JSON.stringify(options),
      front.id,
    );
    const others = photos.filter(({ id }) => id !== front.id);
    for (const [index, { id }] of others.entries()) this.#setFront(id, front.id, index + 1);
  }

  #setFront(id: string, frontId: string | null, position: number): void {
    this.#prepare('UPDATE photos SET frontId = ?, place = ?, frontChosen = 0 WHERE id = ?').run(
      frontId,
      position,
      id,
    );
  }

  #get(id: string): PhotoRow | null {
    const row = this.#prepare('SELECT * FROM photos WHERE id = ? AND inTray = 1').get(id);
    return row ? asPhoto(row) : null;
  }

  /** Returns the ids of a person's photos in read order if one of them changed; otherwise none. */
  #changedOf(before: readonly PhotoRow[]): string[] {
    const isSame = before.every((photo) => isDeepStrictEqual(photo, this.#get(photo.id)));
    return isSame ? [] : before.map(({ id }) => id);
  }

  /** Returns a function that restores photos to their current state, and the next time to the one of before. */
  #snapshot(photos: readonly PhotoRow[]): () => string[] {
    const read = (): { id: string; values: SQLInputValue[] }[] =>
      photos.map(({ id }) => ({
        id,
        values: Object.values(
          this.#prepare(`SELECT ${changedColumns.join(', ')} FROM photos WHERE id = ?`).get(id) ?? {},
        ) as SQLInputValue[],
      }));
    let rows = read();
    return () => {
      const present = read();
      transaction(this.#db, () => {
        const set = this.#prepare(
          `UPDATE photos SET ${changedColumns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
        );
        for (const { id, values } of rows) set.run(...values, id);
      });
      rows = present;
      return rows.map(({ id }) => id);
    };
  }
}

/** Whether a photo still has its file's name. */
const isFilesOwn = ({ name, fileName }: PhotoRow): boolean => fileName.startsWith(`${name}.`);

const bestFront = (photos: readonly PhotoRow[]): PhotoRow =>
  photos.reduce((best, photo) => (frontness(photo) < frontness(best) ? photo : best));
