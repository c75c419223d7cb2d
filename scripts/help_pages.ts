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

/** The folder below docs/ of the pages in Chinese. They have the names of the English pages. */
const chineseFolder = 'zh/';

export interface HelpPage {
  /** Path of the English page below docs/ without `.md`: `formats/take`. */
  readonly name: string;
  readonly language: 'en' | 'zh-CN';
  readonly title: string;
  /** A fragment without raw HTML of the page’s source. */
  readonly html: string;
  /** Pictures that it shows: paths below docs/. */
  readonly pictures: readonly string[];
}

/** A page below docs/: its source, and the anchors of its headings in their order. */
interface Source {
  readonly text: string;
  readonly anchors: readonly string[];
}

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const nameOf = (file: string): string =>
  file.startsWith(chineseFolder) ? file.slice(chineseFolder.length) : file;

/** @param root of the repository @throws Error where a page has no title, or no page in English */
export function helpPages(root: string): HelpPage[] {
  const docs = join(root, 'docs');
  const rank = (file: string): number =>
    (first.indexOf(nameOf(file)) + first.length + 1) % (first.length + 1);
  const files = globSync('**/*.md', { cwd: docs })
    .map((path) => path.replaceAll('\\', '/').replace(/\.md$/, ''))
    .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  const sources = new Map(
    files.map((file) => {
      const text = readFileSync(join(docs, `${file}.md`), 'utf8').replaceAll(/<!--.*?-->\n*/gs, '');
      return [file, { text, anchors: anchorsIn(text) }];
    }),
  );
  return files.map((file) => {
    const name = nameOf(file);
    const title = /^# (.+)$/m.exec(sources.get(file)?.text ?? '')?.[1];
    if (!title) throw new Error(`docs/${file}.md has no title.`);
    if (!sources.has(name)) throw new Error(`docs/${file}.md has no page docs/${name}.md in English.`);
    return { name, language: name === file ? 'en' : 'zh-CN', title, ...rendered(file, sources) };
  });
}

const anchorsIn = (text: string): string[] => {
  const tokens = new MarkdownIt().parse(text, {});
  return tokens.flatMap(({ type }, index) =>
    type === 'heading_open' ? anchorOf(textOf(tokens[index + 1]?.children ?? [])) : [],
  );
};

function rendered(file: string, sources: ReadonlyMap<string, Source>): Pick<HelpPage, 'html' | 'pictures'> {
  const markdown = new MarkdownIt({ html: false });
  const folder = posix.dirname(file);
  const pictures: string[] = [];
  const { rules } = markdown.renderer;
  const plain: NonNullable<typeof rules.link_open> = (tokens, index, options, _env, self) =>
    self.renderToken(tokens, index, options);
  // The English page's anchor in every language, so that an address stays good when the language changes.
  const sharedAnchor = (target: string, anchor: string): string => {
    const at = sources.get(target)?.anchors.indexOf(anchor) ?? -1;
    return sources.get(nameOf(target))?.anchors[at] ?? anchor;
  };

  rules.heading_open = (tokens, index, ...rest) => {
    const anchor = anchorOf(textOf(tokens[index + 1]?.children ?? []));
    tokens[index]!.attrSet('id', `help-${sharedAnchor(file, anchor)}`);
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
    const target = path ? posix.join(folder, path).replace(/\.md$/, '') : file;
    const heading = anchor && sharedAnchor(target, decodeURI(anchor));
    // Other files of the repository are not in the studio: their names stay as text.
    if (!sources.has(target)) token.attrs = [['class', 'elsewhere']];
    else token.attrSet('href', helpAddress(nameOf(target), heading));
    return plain(tokens, index, ...rest);
  };
  return { html: markdown.render(sources.get(file)?.text ?? ''), pictures };
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
    const english = pages.filter(({ language }) => language === 'en');
    const titlesOf = (name: string): Record<string, string> =>
      Object.fromEntries(
        pages.filter((page) => page.name === name).map(({ language, title }) => [language, title]),
      );
    emit('pages.json', JSON.stringify(english.map(({ name }) => ({ name, titles: titlesOf(name) }))));
    for (const { name, language, html } of pages) emit(`${language}/${name}.html`, html);
    for (const picture of new Set(pages.flatMap(({ pictures }) => pictures)))
      emit(picture, readFileSync(join(root, 'docs', picture)));
  },
});
