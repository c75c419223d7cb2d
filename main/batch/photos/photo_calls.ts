import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { CallInput, Handlers } from '#contract';
import type { NameRule } from '#contract/fields.ts';
import { nameByPattern } from '../../base/name_pattern.ts';
import type { Batch } from '../batch.ts';
import type { Importer } from './importer.ts';
import { sexByFolder, writeManifest } from './manifest.ts';
import { matchManifest, pathBelow, sumsOf } from './manifest_match.ts';
import { suggestPeople } from './person_suggestions.ts';
import type { PhotoRow, PhotoTags } from './photo_row.ts';

/** Maximum number of names in a rename preview. */
const maxNames = 200;
/** Maximum number of manifest problems to report. */
const maxProblems = 1000;
const maxTags = 50;

/** Implements the calls about photos in the list: edits and findings. */
export function photoCalls(batch: Batch, importer: Importer) {
  const { importList, feed, modelStore, checks, board } = batch;
  const publish = (ids: readonly string[]): number => {
    feed.photos(ids);
    return ids.length;
  };
  const photoOf = (id: string): PhotoRow => {
    const photo = importList.get(id);
    if (!photo) throw new Failure('not_found', t('batch.photo_gone'), { hint: t('batch.add_again') });
    return photo;
  };

  const everyPhoto = (): PhotoRow[] =>
    importList.selected({ filter: {} }).flatMap((photo) => [photo, ...importList.people.othersOf(photo.id)]);

  return {
    board: ({ filter }) => ({ ids: board.ids(filter) }),
    tiles: ({ ids }) => ({ tiles: board.tiles(ids) }),
    boardReasons: () => ({ reasons: board.reasons() }),
    archive({ ids }) {
      batch.mustBeOurs();
      const archived = board.archive(ids);
      feed.removedPhotos(archived);
      return { archived: archived.length };
    },
    remove({ ids }) {
      batch.mustBeOurs();
      const { removed, kept } = board.remove(ids);
      feed.removedPhotos(removed);
      return { removed: removed.length, kept: kept.length };
    },
    photos({ offset, limit, filter }) {
      const { photos, total } = importList.page(filter, offset, limit);
      return { photos: photos.map((photo) => batch.shown(photo)), total };
    },
    photo: ({ id }) => batch.shown(photoOf(id)),
    photoIndex: ({ id, filter }) => ({ index: importList.indexOf(id, filter) }),
    folders: () => importList.folders(),
    tag({ selection, set }) {
      const changed = importList.tag(
        'tag',
        importList.selected(selection).map((photo) => ({ photo, set: tagsSet(photo, set) })),
      );
      checks.wake();
      return { changed: publish(changed) };
    },
    rename({ selection, preview, ...rule }) {
      const named = importList
        .selected(selection)
        .map((photo, at) => ({ photo, set: { name: nameOf(photo, at + 1, rule) } }));
      if (!preview) publish(importList.tag('rename', named));
      const names = named
        .slice(0, maxNames)
        .map(({ photo, set }) => ({ id: photo.id, from: photo.name, to: set.name }));
      const changed = named.filter(({ photo, set }) => photo.name !== set.name).length;
      return { names, total: named.length, changed };
    },
    tagByFolder({ selection }) {
      const sums = { female: 0, male: 0, unclear: 0 };
      const changes: { photo: PhotoRow; set: PhotoTags }[] = [];
      for (const photo of importList.selected(selection)) {
        const sex = sexByFolder(photo.folder);
        sums[sex ?? 'unclear'] += 1;
        if (sex) changes.push({ photo, set: { sex } });
      }
      const changed = publish(importList.tag('tag by folder', changes));
      return { ...sums, changed };
    },
    async outline({ id, corrections }) {
      const { rings, score, sure } = await checks.outline(photoOf(id), corrections, true);
      return { rings, score, sure };
    },
    async reopen({ modelId }) {
      const { name, fileName, photo, others, parameters, tags } = await modelStore.portraitOf(modelId);
      const id = await importer.takeOne(photo.path, fileName);
      const beside: string[] = [];
      for (const other of others) {
        const otherId = await importer.takeOne(other.path, other.fileName);
        importList.tag('reopen', [{ photo: photoOf(otherId), set: { crop: other.crop } }]);
        beside.push(otherId);
      }
      importList.asOneStep(() => {
        importList.tag('reopen', [{ photo: photoOf(id), set: { name, tags, ...parameters } }]);
        const known = new Set([id, ...importList.people.othersOf(id).map((other) => other.id)]);
        if (beside.some((one) => !known.has(one))) {
          importList.people.separate(beside.map(photoOf));
          importList.people.join([{ ids: [id, ...beside], front: id }]);
        }
      });
      publish([id, ...beside]);
      checks.wake();
      return { photoId: id };
    },
    samePerson({ people }) {
      const changed = publish(importList.people.join(people));
      return { people: people.length, photos: changed };
    },
    separate({ selection }) {
      const { ids, separated } = importList.people.separate(importList.selected(selection));
      publish(ids);
      return { separated };
    },
    chooseFront({ id }) {
      publish(importList.people.chooseFront(id));
      return undefined;
    },
    async suggestPeople({ by }) {
      return { people: await suggestPeople(importList, by) };
    },
    async takesSeveral({ profileId }) {
      const service = await batch.profiles.service(profileId).catch(() => null);
      const announced = await service?.extensions({ sure: true }).catch(() => null);
      return { takes: announced?.files ?? null };
    },
    removePhotos({ selection }) {
      const removed = importList.remove(selection);
      feed.removedPhotos(removed);
      return { removed: removed.length };
    },
    undo() {
      const { what, ids } = importList.undo();
      feed.photos(ids);
      checks.wake();
      return { undone: what };
    },
    redo() {
      const { what, ids } = importList.redo();
      feed.photos(ids ?? []);
      checks.wake();
      return { redone: what, refused: ids === null };
    },
    recheck({ selection }) {
      publish(importList.uncheck(selection));
      checks.wake();
      return undefined;
    },
    importManifest({ text }) {
      const match = matchManifest(text, everyPhoto());
      const { assignments, people, problems } = match;
      const set = sumsOf(match);
      importList.asOneStep(() => {
        publish(importList.tag('manifest', assignments));
        // A new name for a person also changes photos.
        if (people.length > 0) set.person = publish(importList.people.join(people));
      });
      return { applied: assignments.length, set, problems: problems.slice(0, maxProblems) };
    },
    exportManifest({ selection }) {
      const entries = manifestEntries(importList.selected(selection), (id) => importList.people.othersOf(id));
      return { fileName: 'manifest.csv', mediaType: 'text/csv', text: writeManifest(entries) };
    },
  } satisfies Partial<Handlers['batch']>;
}

/** Returns one line per photo; photos of one person share a value in the person column. */
function manifestEntries(
  fronts: readonly PhotoRow[],
  othersOf: (id: string) => PhotoRow[],
): Parameters<typeof writeManifest>[0] {
  const words = new Set<string>();
  return fronts.flatMap((front) => {
    const others = othersOf(front.id);
    let person = '';
    for (let number = 1; others.length > 0 && (person === '' || words.has(person)); number += 1)
      person = number === 1 ? front.name : `${front.name} (${number})`;
    words.add(person);
    return [
      { ...front, file: pathBelow(front), person },
      ...others.map((other) => ({ ...noTags, file: pathBelow(other), person })),
    ];
  });
}

const noTags = { sex: null, eyelidType: null, name: '', tags: [], options: null };

/** Returns the changes of an edit: the given fields, and the tags after adding and removing some. */
function tagsSet(photo: PhotoRow, set: CallInput<'batch', 'tag'>['set']): PhotoTags {
  const { addTags = [], removeTags = [], ...rest } = set;
  const given = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  ) as PhotoTags;
  if (addTags.length + removeTags.length === 0) return given;
  const left = (given.tags ?? photo.tags).filter((tag) => !removeTags.includes(tag));
  return { ...given, tags: [...new Set([...left, ...addTags])].slice(0, maxTags) };
}

/** @param number - Position in the selection, from 1. */
const nameOf = (photo: PhotoRow, number: number, rule: NameRule): string =>
  nameByPattern(
    rule.pattern,
    {
      name: photo.name,
      file: photo.fileName.replace(/\.[^.]*$/, '') || photo.fileName,
      folder: photo.folder.split('/').at(-1) ?? '',
      sex: photo.sex ?? '',
      number: String(number),
    },
    photo.name,
    rule,
  );
