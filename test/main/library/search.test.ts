import { describe, expect, it } from 'vitest';
import { newRecord } from '../../../main/library/likeness_record.ts';
import { ModelIndex } from '../../../main/library/model_index.ts';

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
    ['TEZ', ['Catherine Cortez']],
    ['cor cat', ['Catherine Cortez']],
    ['cor dog', []],
    ['王', ['王小明']],
    ['小明', ['王小明']],
    ['王小明', ['王小明']],
    ['演员', ['王小明']],
    ['angstrom muller', ['Ångström Müller']],
    ['ÅNG', ['Ångström Müller']],
    ['tage 7', ['Ångström Müller']],
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
