import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inEnglish } from '@likeness/messages';
import { openDatabase } from '@likeness/node-kit/storage/database.ts';
import { describe, expect, it } from 'vitest';
import { type SearchProblem, searchFields } from '#contract';
import { markedWords } from '../../../main/base/search/folded_text.ts';
import { searchProblemText } from '../../../main/base/search/search_terms.ts';
import { indexMigrations } from '../../../main/library/index/index_schema.ts';
import { ModelIndex } from '../../../main/library/index/model_index.ts';
import { conditionsOf } from '../../../main/library/index/model_search.ts';
import { newRecord } from '../../../main/library/model/likeness_record.ts';

const now = Date.UTC(2026, 10, 21);

function indexOf(models: { name: string; [field: string]: unknown }[]): ModelIndex {
  const index = new ModelIndex(':memory:', () => now);
  index.put(
    models.map((model, number) => ({
      libraryId: 'one',
      folder: `folder-${number}`,
      stamp: '',
      state: 'ok',
      hasThumbnail: false,
      bytes: number,
      recordFault: '',
      record: newRecord({ id: `m${number}`, source: 'portrait', createdAt: 1000 + number, ...model }),
    })),
  );
  return index;
}
const find = (index: ModelIndex, text: string): string[] =>
  index.search({ text, sort: 'created', descending: false }, 0, 100).models.map(({ name }) => name);

describe('search', () => {
  const index = indexOf([
    { name: 'Catherine Cortez' },
    { name: '王小明', tags: ['演员'] },
    { name: 'Ångström Müller', notes: 'taken on stage 7' },
    { name: 'さくらデザイン', fileName: 'ＤＳＣ０１.jpg' },
    { name: '김민수', profile: { id: 'p1', name: 'Atelier Nord' } },
    { name: '100% "quoted" a_b', createdAt: Date.UTC(2026, 4, 17) },
  ]);

  it.each([
    ['cath', ['Catherine Cortez']],
    ['COR', ['Catherine Cortez']],
    ['tez', []],
    ['cor cat', ['Catherine Cortez']],
    ['cor dog', []],
    ['王', ['王小明']],
    ['小明', ['王小明']],
    ['王小明', ['王小明']],
    ['演员', ['王小明']],
    ['angstrom muller', ['Ångström Müller']],
    ['ÅNG', ['Ångström Müller']],
    ['stag 7', ['Ångström Müller']],
    ['"on stage"', ['Ångström Müller']],
    ['"stage on"', []],
    ['stage -taken', []],
    ['01.jpg', ['さくらデザイン']],
    ['デザ', ['さくらデザイン']],
    ['dsc01', ['さくらデザイン']],
    ['민수', ['김민수']],
    ['nord', ['김민수']],
    ['2026-05', ['100% "quoted" a_b']],
    ['"quoted"', ['100% "quoted" a_b']],
    ['100%', ['100% "quoted" a_b']],
    ['a_b', ['100% "quoted" a_b']],
    ['axb', []],
    ['OR AND NEAR(', []],
    ['*', []],
  ])('finds %j', (text, names) => {
    expect(find(index, text)).toEqual(names);
  });

  it('does not find women who looks for male: words are found from their beginnings', () => {
    const parameters = (sex: string) => ({ sex, eyelidType: null, crop: null });
    const people = indexOf([
      { name: 'Ada', parameters: parameters('female') },
      { name: 'Alan', parameters: parameters('male') },
    ]);
    expect(find(people, 'male')).toEqual(['Alan']);
    expect(find(people, 'ma')).toEqual(['Alan']);
    expect(find(people, 'female')).toEqual(['Ada']);
    expect(find(people, 'sex:male')).toEqual(['Alan']);
    expect(find(people, 'sex:f')).toEqual(['Ada']);
    expect(find(people, '-sex:male')).toEqual(['Ada']);
  });

  it('does not find a word that ends in one field and begins in the next', () => {
    expect(find(indexOf([{ name: 'red', fileName: 'rose.jpg' }]), 'redrose')).toEqual([]);
    expect(find(indexOf([{ name: 'red', fileName: 'rose.jpg' }]), 'drose')).toEqual([]);
  });

  it('forgets the words of what was changed or removed', () => {
    const changing = indexOf([{ name: 'before' }, { name: 'other' }]);
    changing.put([
      {
        libraryId: 'one',
        folder: 'folder-0',
        stamp: '',
        state: 'ok',
        hasThumbnail: false,
        bytes: 0,
        recordFault: '',
        record: newRecord({ id: 'm0', name: 'after', source: 'portrait', createdAt: 1 }),
      },
    ]);
    expect(find(changing, 'before')).toEqual([]);
    expect(find(changing, 'after')).toEqual(['after']);
    changing.remove(['m0']);
    expect(find(changing, 'after')).toEqual([]);
  });
});

describe('filters and facets', () => {
  const female = { sex: 'female', eyelidType: null, crop: null };
  const male = { sex: 'male', eyelidType: 'single', crop: null };
  const index = indexOf([
    { name: 'a', parameters: female, rating: 5, tags: ['x', 'y'], collections: ['c1'] },
    { name: 'b', parameters: male, rating: 2, tags: ['x'], consent: { who: '', basis: '', until: now - 1 } },
    { name: 'c', rating: 3, source: 'import', consent: { who: '', basis: '', until: now + 1 } },
    { name: 'd', trashedAt: 5, tags: ['x'] },
  ]);
  const names = (query: Parameters<ModelIndex['search']>[0]): string[] =>
    index.search({ sort: 'name', descending: false, ...query }, 0, 10).models.map(({ name }) => name);

  it('narrow down by everything that a model has', () => {
    expect(names({})).toEqual(['a', 'b', 'c']);
    expect(names({ trash: true })).toEqual(['d']);
    expect(names({ sex: 'unset' })).toEqual(['c']);
    expect(names({ eyelidType: 'single' })).toEqual(['b']);
    expect(names({ rating: 3 })).toEqual(['a', 'c']);
    expect(names({ tag: 'x' })).toEqual(['a', 'b']);
    expect(names({ collectionId: 'c1' })).toEqual(['a']);
    expect(names({ source: 'import' })).toEqual(['c']);
    expect(names({ consentExpired: true })).toEqual(['b']);
    expect(names({ sort: 'rating', descending: true })).toEqual(['a', 'c', 'b']);
  });

  it('count what was found, without what lies in the trash', () => {
    const facets = index.facets({});
    expect(facets.sex).toEqual([
      { value: 'female', label: 'female', count: 1 },
      { value: 'male', label: 'male', count: 1 },
      { value: 'unset', label: 'unset', count: 1 },
    ]);
    expect(facets.tag).toEqual([
      { value: 'x', label: 'x', count: 2 },
      { value: 'y', label: 'y', count: 1 },
    ]);
    expect(index.facets({ tag: 'y' }).rating).toEqual([{ value: '5', label: '5', count: 1 }]);
  });
});

describe('fields of a search', () => {
  const day = (year: number, month: number, date: number) => new Date(year, month - 1, date, 12).getTime();
  const index = indexOf([
    { name: 'a', rating: 5, tags: ['Senate', 'two words'], createdAt: day(2026, 10, 31), flag: 'pick' },
    {
      name: 'b',
      rating: 3,
      tags: ['house'],
      createdAt: day(2026, 11, 1),
      profile: { id: 'p', name: 'Atelier Nord' },
    },
    { name: 'c', createdAt: day(2026, 11, 21), source: 'import', flag: 'reject' },
  ]);

  it.each([
    ['rating:3', ['b']],
    ['rating:>3', ['a']],
    ['rating:>=3', ['a', 'b']],
    ['rating:3+', ['a', 'b']],
    ['rating:<3', ['c']],
    ['tag:senate', ['a']],
    ['tag:sen', ['a']],
    ['tag:"sen"', []],
    ['tag:"two words"', ['a']],
    ['tag:none', ['c']],
    ['-tag:house', ['a', 'c']],
    ['made:<2026-11-01', ['a']],
    ['made:2026-11', ['b', 'c']],
    ['made:2026-10-31..2026-11-01', ['a', 'b']],
    ['made:today', ['c']],
    ['by:nord', ['b']],
    ['from:import', ['c']],
    ['flag:pick', ['a']],
    ['-flag:pick', ['b', 'c']],
    ['state:ok rating:>0 -tag:house', ['a']],
    ['rating:', ['a', 'b', 'c']], // being typed
    ['made:<20', ['a', 'b', 'c']],
  ])('%s', (text, names) => {
    expect(find(index, text)).toEqual(names);
    expect(index.search({ text }, 0, 10).problems).toEqual([]);
  });

  it.each([
    ['sxe:male', { problem: 'unknown_field', word: 'sxe:male', field: '' }],
    ['sex:red', { problem: 'unknown_value', word: 'sex:red', field: 'sex' }],
    ['rating:many', { problem: 'not_stars', word: 'rating:many', field: 'rating' }],
    ['made:2026-13', { problem: 'not_a_day', word: 'made:2026-13', field: 'made' }],
    ['made:2026-02-30', { problem: 'not_a_day', word: 'made:2026-02-30', field: 'made' }],
    ['"two wor', { problem: 'open_quote', word: '"two wor', field: '' }],
  ])('%s says what is wrong with it, and the rest still finds', (text, problem) => {
    expect(index.search({ text: `${text}` }, 0, 10).problems).toEqual([problem]);
    expect(inEnglish(searchProblemText(problem as SearchProblem, searchFields))).toContain(problem.word);
  });

  it('takes words with a colon that are no fields as they are, in quotes or as an address', () => {
    const one = indexOf([{ name: 'at 12:30', notes: 'see http://example.org/x' }]);
    for (const text of ['12:30', 'http://example', '"at 12:30"'])
      expect(find(one, text)).toEqual(['at 12:30']);
  });

  it('counts those without a tag, and flags', () => {
    expect(index.facets({})).toMatchObject({ untagged: 1 });
    expect(index.facets({}).flag).toHaveLength(3);
    expect(index.search({ untagged: true }, 0, 10).models.map(({ name }) => name)).toEqual(['c']);
    expect(index.search({ flag: 'none' }, 0, 10).models.map(({ name }) => name)).toEqual(['b']);
  });

  it('looks words and tags up in an index, and never reads all texts for three characters and more', () => {
    const { db } = openDatabase({ path: ':memory:', migrations: indexMigrations });
    for (const text of ['mal', 'ma', 'tag:senate', '"two words"']) {
      const { where, values } = conditionsOf({ text }, 0);
      const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT m.row FROM models m WHERE ${where}`).all(...values);
      const steps = plan.map(({ detail }) => detail).join('\n');
      expect(steps).not.toMatch(/SCAN (texts|tags)/);
      expect(steps).toMatch(/searched VIRTUAL TABLE|tags_by_folded/);
    }
    db.close();
  });
});

describe('an index of before words were found from their beginnings', () => {
  it('opens, and finds as a new one does', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'likeness-index-'));
    const path = join(folder, 'index.db');
    const record = newRecord({
      id: 'old',
      name: 'Ada Lovelace',
      source: 'portrait',
      createdAt: 1000,
      tags: ['Sénat'],
      parameters: { sex: 'female', eyelidType: null, crop: null, corrections: null, options: null },
      remoteModelId: 'mdl-7',
    });
    const { db } = openDatabase({ path, migrations: indexMigrations.slice(0, 1) });
    const { lastInsertRowid } = db
      .prepare(
        `INSERT INTO models (id, libraryId, folder, stamp, name, sortName, state, source, sex, profileId, profileName,
           rating, tags, createdAt, changedAt, bytes, hasThumbnail, hasPortrait, thumbnailVersion, photoHash,
           modelHash, madeOf)
         VALUES ('old', 'one', 'f', '', 'Ada Lovelace', 'ada lovelace', 'ok', 'portrait', 'female', '', '', 0,
           '["Sénat"]', 1000, 1000, 1, 0, 0, 0, '', '', '')`,
      )
      .run();
    const old = 'ada lovelace\nsenat\nfemale';
    db.prepare('INSERT INTO records VALUES (?, ?)').run(lastInsertRowid, JSON.stringify(record));
    db.prepare('INSERT INTO texts VALUES (?, ?)').run(lastInsertRowid, old);
    db.prepare('INSERT INTO searched (rowid, searchText) VALUES (?, ?)').run(lastInsertRowid, old);
    db.prepare('INSERT INTO tags (tag, row) VALUES (?, ?)').run('Sénat', lastInsertRowid);
    db.close();

    const index = new ModelIndex(path, () => now);
    expect(index.fresh).toBe(false);
    for (const text of ['love', 'lo', 'female', 'tag:senat'])
      expect(find(index, text)).toEqual(['Ada Lovelace']);
    for (const text of ['male', 'lace']) expect(find(index, text)).toEqual([]);
    expect(index.card('old')?.flag).toBeNull();
    // A head is known by what its server calls it, also one that was made before anybody asked.
    expect(index.nameOfRemote('', 'mdl-7')).toBe('Ada Lovelace');
    expect(index.nameOfRemote('other', 'mdl-7')).toBeNull();
    expect(index.nameOfRemote('', '')).toBeNull();
    index.close();
    await rm(folder, { recursive: true });
  });
});

it.each(['DSC01 take2b', '  a-b_c\t(9) ', 'O\u0001Neill&Sons3', ''])(
  'marks the words of %j alike in ASCII and beside other letters',
  (text) => {
    expect(markedWords(`${text} ж`)).toBe(`${markedWords(text)} \u0001ж`.trim());
  },
);

describe('models that are put into the index', () => {
  const entry = (id: string, folder: string, name = folder) => ({
    libraryId: 'one',
    folder,
    stamp: 'record model thumbnail',
    state: 'ok' as const,
    hasThumbnail: false,
    bytes: 20,
    record: newRecord({ id, name, source: 'import', createdAt: 1 }),
    recordFault: '' as const,
  });
  const found = (index: ModelIndex) =>
    index.search({ sort: 'name' }, 0, 9).models.map(({ id, name }) => `${id} ${name}`);

  it('replace those of their id and those of their folder, also within one transaction', () => {
    const index = new ModelIndex(':memory:', () => now);
    index.put([entry('a', 'first'), entry('b', 'second'), entry('a', 'third')]);
    expect(found(index)).toEqual(['b second', 'a third']);
    index.put([entry('c', 'second', 'renamed'), entry('a', 'fourth')]);
    expect(found(index)).toEqual(['a fourth', 'c renamed']);
    expect(index.search({ text: 'second' }, 0, 9).total).toBe(0);
    index.close();
  });

  it('are all there when they were put soon, with what was found in their files, at the latest at the end', async () => {
    const index = new ModelIndex(':memory:', () => now);
    const refused = { fault: 'too many nodes', refused: true };
    await Promise.all([
      index.putSoon(entry('a', 'first')),
      index.putSoon({ ...entry('b', 'second'), found: refused }),
    ]);
    expect(found(index)).toEqual(['a first', 'b second']);
    expect(index.card('a')).toMatchObject({ state: 'ok', fault: '' });
    expect(index.card('b')).toMatchObject({ state: 'broken_model', fault: 'too many nodes' });
    expect(index.fault('b', 'model')).toEqual(refused);
    const last = index.putSoon(entry('c', 'third'));
    index.close();
    await last;
  });
});
