/** What messages tell a person to use (commands, options, variables, pages, labels) has to exist under that name. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '@likeness/messages/table.ts';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { CommandContext } from '../../main/commands/command_context.ts';
import { addCompletionCommand, createProgram } from '../../main/commands/program.ts';

const root = join(import.meta.dirname, '../..');
const languages = ['en', 'zh'] as const;
type Language = (typeof languages)[number];

/** Both languages of each message: those of the table, and those that stand beside the code that says them. */
const messages: { where: string; en: string; zh: string }[] = [
  ...Object.entries(table as Readonly<Record<string, { en: string; zh: string }>>).map(([key, texts]) => ({
    where: key,
    ...texts,
  })),
  ...globSync('packages/{engine,portrait,service,speech}/src/**/*.ts', { cwd: root }).flatMap((where) => {
    const source = readFileSync(join(root, where), 'utf8');
    return [...source.matchAll(/\ben: (['"`])(.*?)\1,\s+zh: (['"`])(.*?)\3/g)].map(
      ([, , en = '', , zh = '']) => ({ where, en, zh }),
    );
  }),
];

function commandLine(): Command {
  const context = { terminal: { environment: {} } } as unknown as CommandContext;
  const program = createProgram(context, { version: '1', engineOptions: {} });
  // Its action and options are in `main/command_line.ts`.
  program.command('serve').option('--port <port>').option('--open');
  addCompletionCommand(program);
  return program;
}
const program = commandLine();

/** The command of these words; a number where one of them is none: which. Words behind a command are its arguments. */
function commandOf(words: readonly string[]): Command | number {
  let command = program;
  for (const [index, word] of words.entries()) {
    if (command.commands.length === 0) return command;
    const next = command.commands.find((one) => one.name() === word);
    if (!next) return index;
    command = next;
  }
  return command;
}

const commandsIn = (text: string): string[][] => [
  ...[...text.matchAll(/\blikeness((?: [a-z][a-z-]*)+)/g)].map(([, words = '']) => words.trim().split(' ')),
  // “connections bind”: without the program's name.
  ...[...text.matchAll(/“([a-z]+(?: [a-z-]+)*)”/g)]
    .map(([, words = '']) => words.split(' '))
    .filter(([first]) => program.commands.some((one) => one.name() === first)),
];
const optionsIn = (text: string): string[] => text.match(/(?<![\w-])--[a-z][a-z-]+/g) ?? [];
const variablesIn = (text: string): string[] => text.match(/\bLIKENESS_[A-Z_]+\b/g) ?? [];

const optionsOf = ({ options }: Command): string[] => options.flatMap(({ long }) => long ?? []);
const allOptions = (command: Command): string[] => [
  ...optionsOf(command),
  ...command.commands.flatMap(allOptions),
];

test('each command that a message names is one', () => {
  const wrong = messages.flatMap(({ where, ...texts }) =>
    languages
      .flatMap((language) => commandsIn(texts[language]))
      .filter((words) => {
        const found = commandOf(words);
        // Prose may follow the name of a command, but not of a group of commands.
        return typeof found === 'number';
      })
      .map((words) => `${where}: ${words.join(' ')}`),
  );
  expect(wrong).toEqual([]);
  const named = new Set(messages.flatMap(({ en }) => commandsIn(en).map((words) => words.join(' '))));
  for (const words of ['connections bind', 'service keys add', 'library export', 'image submit', 'batch'])
    expect(
      [...named].some((name) => name.startsWith(words)),
      words,
    ).toBe(true);
});

test('each option that a message names is one, of the command beside it where one is named', () => {
  // An option of Chromium, which the desktop app warns about.
  const everywhere = new Set([...allOptions(program), '--no-sandbox']);
  const wrong = messages.flatMap(({ where, ...texts }) =>
    languages.flatMap((language) => {
      const beside = commandsIn(texts[language])
        .map(commandOf)
        .filter((found) => typeof found !== 'number');
      const known =
        beside.length > 0
          ? new Set([...optionsOf(program), '--help', ...beside.flatMap(allOptions)])
          : everywhere;
      return optionsIn(texts[language])
        .filter((option) => !known.has(option))
        .map((option) => `${where}: ${option}`);
    }),
  );
  expect(wrong).toEqual([]);
  expect(messages.filter(({ en }) => optionsIn(en).length > 0).length).toBeGreaterThan(30);
});

test('each variable that a message names is read', () => {
  const main = globSync('{main,packages/*/src}/**/*.ts', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const named = new Set(messages.flatMap(({ en, zh }) => [...variablesIn(en), ...variablesIn(zh)]));
  expect([...named].sort()).toEqual(['LIKENESS_CHROMIUM', 'LIKENESS_HOME', 'LIKENESS_PASSPHRASE']);
  for (const name of named) expect(main, name).toContain(name);
});

test('both languages name the same commands, options and variables', () => {
  const named = (text: string): string[] =>
    [...commandsIn(text).map((words) => words.join(' ')), ...optionsIn(text), ...variablesIn(text)].sort();
  for (const { where, en, zh } of messages) expect(named(zh), where).toEqual(named(en));
});

type Words = { [name: string]: string | Words };
/** The page's texts by the folder of their page: `takes/export`. */
async function readPageWords(file: string, name: string): Promise<Record<string, Words>> {
  const folder = join(root, 'renderer');
  const read = globSync(`**/words/${file}`, { cwd: folder }).map(async (path) => {
    const texts: Record<string, Words> = await import(join(folder, path));
    return [path.replace(`/words/${file}`, ''), texts[name] ?? {}] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
const pageWords = {
  en: await readPageWords('en.ts', 'en'),
  zh: await readPageWords('zh-CN.ts', 'zhCN'),
};
const textsOf = (words: Words): string[] =>
  Object.values(words).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value)));
const partOf = (language: Language, place: string): Words => pageWords[language][place] ?? {};
const namesOf = (language: Language): Record<string, string> =>
  partOf(language, 'frame').pages as Record<string, string>;
const sectionsOf = (language: Language): string[] =>
  Object.values(partOf(language, 'settings').sections as Record<string, string>);

/** What stands behind an arrow in a text: “Settings → Keys or with …” has “Keys or with …”. */
function pathsIn(text: string, language: Language): { place: string; rest: string }[] {
  return Object.entries(namesOf(language)).flatMap(([place, name]) =>
    [...text.matchAll(new RegExp(`(?<![\\p{L}])${name}[“”]? ?→ ?[“”]?`, 'gu'))].map((found) => ({
      place,
      rest: text.slice(found.index + found[0].length),
    })),
  );
}

const leadsNowhere = (text: string, language: Language): string[] =>
  pathsIn(text, language)
    .filter(({ place, rest }) => {
      const labels = place === 'settings' ? sectionsOf(language) : textsOf(partOf(language, place));
      return !labels.some((label) => rest.startsWith(label));
    })
    .map(({ place, rest }) => `${place} → ${rest.slice(0, 40)}`);

test('each page and section that a message or a document leads to has that name', () => {
  const wrong = messages.flatMap(({ where, ...texts }) =>
    languages.flatMap((language) =>
      leadsNowhere(texts[language], language).map((path) => `${where}: ${path}`),
    ),
  );
  expect(wrong).toEqual([]);
  const documents = globSync(['README.md', 'docs/**/*.md'], { cwd: root });
  expect(
    documents.flatMap((file) =>
      leadsNowhere(
        readFileSync(join(root, file), 'utf8').replace(/\s+/g, ' '),
        /^docs[\\/]zh/.test(file) ? 'zh' : 'en',
      )
        .filter((path) => path.startsWith('settings'))
        .map((path) => `${file}: ${path}`),
    ),
  ).toEqual([]);
  for (const { where, en, zh } of messages)
    expect(
      pathsIn(zh, 'zh').map(({ place }) => place),
      where,
    ).toEqual(pathsIn(en, 'en').map(({ place }) => place));
});

test('each label that a message quotes is on the page, in both languages', () => {
  // “Client private key” leaves “(PEM)” out.
  const labels = (language: Language): string[] =>
    Object.values(pageWords[language])
      .flatMap(textsOf)
      .flatMap((label) => [label, label.replace(/ ?[(（].*$/, '')]);
  const isLabel = (quoted: string, known: readonly string[]): boolean =>
    // “Glasses: Painted away” is a choice and its value.
    quoted.split(/: |：/).every((part) => known.includes(part));
  const quotedIn = (text: string): string[] =>
    [...text.matchAll(/“([^”{}]+)”/g)].map(([, quoted = '']) => quoted);
  const known = { en: labels('en'), zh: labels('zh') };
  const wrong = messages.flatMap(({ where, en, zh }) => [
    ...quotedIn(en)
      .filter((quoted) => /^[A-Z]/.test(quoted) && !isLabel(quoted, known.en))
      .map((quoted) => `${where}: ${quoted}`),
    ...quotedIn(zh)
      .filter((quoted) => /^\p{Script=Han}/u.test(quoted) && !isLabel(quoted, known.zh))
      .map((quoted) => `${where}: ${quoted}`),
  ]);
  expect(wrong).toEqual([]);
});

test('a document in Chinese calls a label of the pages as the pages in Chinese do', () => {
  const flat = (words: Words, path = ''): [string, string][] =>
    Object.entries(words).flatMap(([name, value]) =>
      typeof value === 'string' ? [[`${path}/${name}`, value]] : flat(value, `${path}/${name}`),
    );
  const chinese = new Map(flat(pageWords.zh));
  const english = flat(pageWords.en);
  const translations = (label: string): string[] =>
    english.flatMap(([path, text]) => (text === label ? (chinese.get(path) ?? []) : []));
  const marked = (text: string): string[] =>
    [...text.matchAll(/\*+([^*]+?)\*+|“([^”]+)”/g)].map(([, one, other]) => one ?? other ?? '');
  const read = (folder: string, file: string): string =>
    readFileSync(join(root, folder, file), 'utf8').replace(/\s+/g, ' ');

  const named = globSync('*.md', { cwd: join(root, 'docs/zh') }).flatMap((file) => {
    const own = marked(read('docs/zh', file));
    return marked(read('docs', file)).flatMap((label) => {
      const names = translations(label);
      if (names.length === 0) return [];
      return { file, label, found: names.some((name) => own.some((one) => one.includes(name))) };
    });
  });
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ found }) => !found)).toEqual([]);
});

test('the menu of the desktop app names the pages as the pages do', () => {
  for (const language of languages) {
    const { settings, ...places } = namesOf(language);
    const shown = (name: string): string => table[`desktop.${name}` as 'desktop.settings'][language];
    for (const [name, place] of Object.entries(places)) expect(shown(name)).toBe(place);
    expect(shown('settings')).toBe(`${settings}…`);
  }
});
