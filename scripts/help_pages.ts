/** The pages of docs/ as HTML, which the studio shows under Settings → Help without a network. */
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import type { Plugin } from 'vite';

/** The order in which pages are offered; formats and others follow. */
const first = [
  ...['guide', 'recipes', 'words', 'send', 'troubleshooting', 'install', 'cli', 'http-api', 'service'],
  ...['billing', 'promises', 'security', 'quality', 'translate', 'formats/README'],
];

export interface HelpPage {
  /** Path below docs/ without `.md`: `formats/take`. */
  readonly name: string;
  readonly title: string;
  /** A fragment without raw HTML of the page’s source. */
  readonly html: string;
  /** Pictures that it shows: paths below docs/. */
  readonly pictures: readonly string[];
}

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** @param root of the repository @throws Error where a page has no title */
export function helpPages(root: string): HelpPage[] {
  const docs = join(root, 'docs');
  const rank = (name: string): number => (first.indexOf(name) + first.length + 1) % (first.length + 1);
  const names = globSync('**/*.md', { cwd: docs })
    .map((path) => path.replaceAll('\\', '/').replace(/\.md$/, ''))
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  return names.map((name) => {
    const source = readFileSync(join(docs, `${name}.md`), 'utf8').replaceAll(/<!--.*?-->\n*/gs, '');
    const title = /^# (.+)$/m.exec(source)?.[1];
    if (!title) throw new Error(`docs/${name}.md has no title.`);
    return { name, title, ...rendered(source, name, new Set(names)) };
  });
}

function rendered(
  source: string,
  name: string,
  names: ReadonlySet<string>,
): Pick<HelpPage, 'html' | 'pictures'> {
  const markdown = new MarkdownIt({ html: false });
  const folder = posix.dirname(name);
  const pictures: string[] = [];
  const { rules } = markdown.renderer;
  const plain: NonNullable<typeof rules.link_open> = (tokens, index, options, _env, self) =>
    self.renderToken(tokens, index, options);

  rules.heading_open = (tokens, index, ...rest) => {
    tokens[index]!.attrSet('id', `help-${anchorOf(textOf(tokens[index + 1]?.children ?? []))}`);
    return plain(tokens, index, ...rest);
  };
  // A table that is wider than a small window scrolls, and the text does not.
  rules.table_open = () => '<div class="wide"><table>';
  rules.table_close = () => '</table></div>';
  rules.image = (tokens, index) => {
    const picture = posix.join(folder, tokens[index]!.attrGet('src') ?? '');
    pictures.push(picture);
    return `<img src="/help/${picture}" alt="${markdown.utils.escapeHtml(tokens[index]!.content)}">`;
  };
  rules.link_open = (tokens, index, ...rest) => {
    const token = tokens[index]!;
    const href = token.attrGet('href') ?? '';
    if (/^https?:/.test(href)) {
      token.attrSet('target', '_blank');
      token.attrSet('rel', 'noreferrer');
      return plain(tokens, index, ...rest);
    }
    const [path = '', anchor] = href.split('#');
    const target = path ? posix.join(folder, path).replace(/\.md$/, '') : name;
    // Other files of the repository are not in the studio: their names stay as text.
    if (!names.has(target)) token.attrs = [['class', 'elsewhere']];
    else token.attrSet('href', helpAddress(target, anchor));
    return plain(tokens, index, ...rest);
  };
  return { html: markdown.render(source), pictures };
}

const helpAddress = (...parts: readonly (string | undefined)[]): string =>
  `#/settings/help/${parts
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join('/')}`;

const textOf = (tokens: readonly { content: string; type: string }[]): string =>
  tokens
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');

/** Puts the pages into the built page’s folder `help`: files, so that the page’s script stays as small as it is. */
export const helpFiles = (root: string): Plugin => ({
  name: 'likeness-help',
  generateBundle() {
    const pages = helpPages(root);
    const emit = (fileName: string, source: string | Uint8Array): void =>
      void this.emitFile({ type: 'asset', fileName: `help/${fileName}`, source });
    emit('pages.json', JSON.stringify(pages.map(({ name, title }) => ({ name, title }))));
    for (const { name, html, pictures } of pages) {
      emit(`${name}.html`, html);
      for (const picture of pictures) emit(picture, readFileSync(join(root, 'docs', picture)));
    }
  },
});
