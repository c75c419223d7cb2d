import { expect, test } from 'vitest';
import { languageNames } from '../../renderer/base/language.ts';
import { dictionary } from '../../renderer/frame/dictionary.ts';
import { valuesIn } from '../fixtures/icu.ts';
import { rendererSources, sourcesIn } from '../fixtures/renderer_sources.ts';

/** Every word by its path: `app.pages.live`. */
function flat(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : flat(value as object, `${path}${key}.`),
  );
}
const english = new Map(flat(dictionary.en));

test.each(Object.keys(languageNames) as (keyof typeof dictionary)[])(
  '%s has every word, and no other',
  (language) => {
    const words = new Map(flat(dictionary[language]));
    expect([...words.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [path, text] of words) expect(text.trim(), path).not.toBe('');
  },
);

test('a word fills in the same values in every language', () => {
  for (const [path, text] of flat(dictionary['zh-CN'])) {
    const source = english.get(path) ?? '';
    // Chinese nouns have one form, so a count that English needs for its plural alone may be absent.
    const shown = valuesIn(source).filter(
      (name) => text.includes(`{${name}`) || source.includes(`{${name}}`),
    );
    expect(valuesIn(text), path).toEqual(shown);
  }
});

test('Chinese has no plural form for one: a text of its own is for =1', () => {
  for (const [path, text] of flat(dictionary['zh-CN'])) expect(text, path).not.toMatch(/plural,\s*one\b/);
});

/** Chinese terms by what the same thing was also called. */
const oneTerm = { 文稿: '台词', 收藏夹: '收藏集', 剃短: '寸头', 无发: '光头', 时间轴: '时间线' };

test('Chinese has one term for one thing, on the page, in messages and in the documentation', () => {
  const texts = [
    sourcesIn('renderer', '**/zh-CN.ts'),
    sourcesIn('packages/messages/src', '**/*.ts'),
    sourcesIn('docs/zh', '*.md'),
  ].flatMap(Object.entries<string>);
  expect(texts.length).toBeGreaterThan(20);
  for (const [file, text] of texts)
    for (const [other, term] of Object.entries(oneTerm))
      expect(text.includes(other), `${file}: ${other} is ${term}`).toBe(false);
});

test('no screen has words of its own', () => {
  const sources = rendererSources('**/*.tsx');
  expect(Object.keys(sources).length).toBeGreaterThan(20);
  for (const [file, source] of Object.entries(sources)) {
    const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
    // Text between tags, and the attributes that a person reads or hears.
    const spoken = [
      ...code.matchAll(/<\/?[a-z][\w.]*[^<>{}]*>\s*([A-Za-z][A-Za-z ,.'’]{3,}?)\s*<\//g),
      ...code.matchAll(
        /\s(?:label|title|placeholder|aria-label|alt|description)="([^"]*[A-Za-z]{3,}[^"]*)"/g,
      ),
    ].map(([, text]) => text);
    expect(spoken, file).toEqual([]);
  }
});

/** Quoted, and no name of anything on the page. */
const noNames = new Set([
  ...['Group A', 'Group B', 'A 组', 'B 组', 'image task', 'userns', 'start', 'file'],
  ...['likeness service start', 'likeness service keys add', 'viseme_aa 1, jawOpen 0.4'],
]);

test.each(Object.keys(languageNames) as (keyof typeof dictionary)[])(
  'what %s calls by its name is a label of the page',
  (language) => {
    const words = flat(dictionary[language]);
    const bare = (text: string): string => text.trim().replace(/…$/, '');
    const labels = new Set(words.map(([, text]) => bare(text)));
    const strays = words.flatMap(([path, text]) =>
      [...text.matchAll(/“([^”{]+)”/g)]
        .map(([, name = '']) => name)
        .filter((name) => !noNames.has(name))
        .filter((name) => !name.split(/[:：]/).every((part) => labels.has(bare(part))))
        .map((name) => `${path}: ${name}`),
    );
    expect(strays).toEqual([]);
  },
);

test('no word of money is said of the built-in engine, which costs nothing', () => {
  const here = (Object.keys(languageNames) as (keyof typeof dictionary)[])
    .flatMap((language) => flat(dictionary[language]))
    .filter(([path]) => /Here(_\w+)?$|Here\.\w+$/.test(path));
  expect(here.length).toBeGreaterThan(10);
  for (const [path, text] of here) expect(text, path).not.toMatch(/\b(bill|paid|pay|cost)|计费|付费|费用/);
});
