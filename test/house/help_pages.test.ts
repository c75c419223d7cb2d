/** The documentation as the studio ships it: every link leads to a page and a heading that are there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { helpPages } from '../../scripts/help_pages.ts';

const root = join(import.meta.dirname, '../..');
const pages = helpPages(root);
const english = pages.filter(({ language }) => language === 'en');
const chinese = pages.filter(({ language }) => language === 'zh-CN');
/** As the studio shows it: a page that is not there in a language is shown in English. */
const htmlOf = (name: string, language: string): string | undefined =>
  [...pages.filter((page) => page.language === language), ...english].find((page) => page.name === name)
    ?.html;

test('the guide comes first, and every page has a title of its own', () => {
  expect(english[0]).toMatchObject({ name: 'guide', title: 'Guide' });
  expect(chinese[0]).toMatchObject({ name: 'guide', title: '使用指南' });
  expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
});

test('links lead to pages and headings that are there, and pictures exist', () => {
  const links = pages.flatMap(({ name, language, html }) =>
    [...html.matchAll(/href="#\/settings\/help\/([^"/]+)(?:\/([^"]+))?"/g)].map(([, page = '', anchor]) => ({
      name,
      language,
      page: decodeURIComponent(page),
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(50);
  const broken = links.filter(({ page, anchor, ...from }) =>
    [from.language, 'zh-CN'].some((language) => {
      const html = htmlOf(page, language);
      return !html || (anchor !== undefined && !html.includes(` id="help-${decodeURIComponent(anchor)}"`));
    }),
  );
  expect(broken).toEqual([]);
  for (const picture of pages.flatMap(({ pictures }) => pictures))
    expect(existsSync(join(root, 'docs', picture)), picture).toBe(true);
});

test('no page has HTML of its source, or an address that the page would load', () => {
  for (const { html } of pages) {
    expect(html).not.toMatch(/<(?:script|iframe|style|link|object)/i);
    expect(html).not.toContain('&lt;!--');
    for (const [, source] of html.matchAll(/ src="([^"]*)"/g)) expect(source).toMatch(/^\/help\//);
  }
});

test('the pages that a person at the desktop reads are in Chinese', () => {
  expect(chinese.map(({ name }) => name)).toEqual([
    ...['guide', 'recipes', 'words', 'send', 'troubleshooting', 'install', 'billing', 'promises'],
  ]);
});

const tokensOf = (path: string) => new MarkdownIt().parse(readFileSync(join(root, 'docs', path), 'utf8'), {});

/** A page without its sentences, in the order of the page: headings, lists, tables, and blocks of code. */
const blocksOf = (path: string): string[] =>
  tokensOf(path)
    .filter(({ type }) => type !== 'inline')
    .map(({ type, tag, info, content }) => [type, tag, info, content].filter(Boolean).join(' '));

/** What a translation takes over from the sentences, in alphabetical order: theirs may differ. */
function takenOver(path: string): { code: string[]; figures: string[] } {
  const inline = tokensOf(path).flatMap(({ children }) => children ?? []);
  const contents = (type: string): string[] =>
    inline.filter((token) => token.type === type).map(({ content }) => content);
  const figures = contents('text').flatMap((text) => text.match(/\d+(?:[.,]\d+)*/g) ?? []);
  return { code: contents('code_inline').sort(), figures: figures.sort() };
}

/** Where the links and pictures of a page as the studio shows it lead. */
const targetsOf = (html: string): string[] =>
  [...html.matchAll(/ (?:href|src|class)="[^"]*"/g)].map(([attribute]) => attribute).sort();

test.each(chinese.map(({ name, html }) => [name, html] as const))(
  'the Chinese page “%s” has the parts, code, figures and links of the English one',
  (name, html) => {
    const [own, original] = [`zh/${name}.md`, `${name}.md`];
    expect(blocksOf(own)).toEqual(blocksOf(original));
    expect(takenOver(own)).toEqual(takenOver(original));
    expect(targetsOf(html)).toEqual(targetsOf(htmlOf(name, 'en') ?? ''));
  },
);
