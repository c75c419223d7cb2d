/** The documentation as the studio ships it: every link leads to a page and a heading that are there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { helpPages } from '../../scripts/help_pages.ts';

const root = join(import.meta.dirname, '../..');
const pages = helpPages(root);
const htmlOf = new Map(pages.map(({ name, html }) => [name, html]));

test('the guide comes first, and every page has a title of its own', () => {
  expect(pages[0]).toMatchObject({ name: 'guide', title: 'Guide' });
  expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
});

test('links lead to pages and headings that are there, and pictures exist', () => {
  const links = pages.flatMap(({ name, html }) =>
    [...html.matchAll(/href="#\/settings\/help\/([^"/]+)(?:\/([^"]+))?"/g)].map(([, page = '', anchor]) => ({
      name,
      page: decodeURIComponent(page),
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(50);
  const broken = links.filter(({ page, anchor }) => {
    const html = htmlOf.get(page);
    return !html || (anchor !== undefined && !html.includes(` id="help-${decodeURIComponent(anchor)}"`));
  });
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
