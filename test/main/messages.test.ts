import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  changed,
  joinMessages,
  type Message,
  restoredMessage,
  storedMessage,
  t,
  translate,
} from '@likeness/messages';
import { helpInChinese } from '@likeness/messages/help.ts';
import { table } from '@likeness/messages/table.ts';
import { portraitErrorCodes } from '@likeness/portrait/contract/portrait_error.ts';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { CommandContext } from '../../main/commands/command_context.ts';
import { addCompletionCommand, createProgram } from '../../main/commands/program.ts';
import { valuesIn } from '../fixtures/icu.ts';

const root = join(import.meta.dirname, '../..');
const entries = Object.entries(table as Readonly<Record<string, { en: string; zh: string }>>);

test('every sentence says the same in both languages', () => {
  for (const [key, { en, zh }] of entries) {
    expect(en, key).not.toBe('');
    expect(zh, key).not.toBe('');
    expect(
      valuesIn(zh).every((name) => valuesIn(en).includes(name)),
      key,
    ).toBe(true);
    // A count that English needs for its plural alone is all that Chinese may leave out.
    const plural = [...en.matchAll(/\{(\w+), plural,/g)].map(([, name]) => name ?? '');
    expect(
      valuesIn(en).filter((name) => !valuesIn(zh).includes(name) && !plural.includes(name)),
      key,
    ).toEqual([]);
  }
});

test('Chinese has full-width marks', () => {
  for (const [key, { zh }] of entries) {
    // Code, commands and addresses keep their own marks; beside a Chinese character the mark is Chinese.
    const plain = zh.replace(/\{\w+(?:, \w+,)?|\}|\(&\w\)/g, '');
    expect(plain, key).not.toMatch(/\p{Script=Han}[,;:!?()]|[,;!?()]\p{Script=Han}|\p{Script=Han}\.(?!\w)/u);
  }
});

test('a noun after a count is written in singular and plural', () => {
  const pluralAlone =
    /\{(?!most\})\w+\} (?:[a-z-]+ )?(?:heads|takes|models|photos|images|frames|calls|entries|packets|words|files|problems|recordings|traces|requests|hours|webhooks|times|channels)\b/;
  const neverOne = ['batch.too_many_images', 'journal.too_many', 'library.too_many', 'person.too_many'];
  expect(
    entries.filter(([key, { en }]) => pluralAlone.test(en) && !neverOne.includes(key)).map(([key]) => key),
  ).toEqual([]);
  for (const [count, text] of [
    [0, '0 takes changed.'],
    [1, '1 take changed.'],
    [2, '2 takes changed.'],
    [1.5, '1.5 takes changed.'],
  ] as const) {
    expect(t('cli.takes_changed', { count }).text).toBe(text);
  }
  expect(t('cli.takes_changed', { count: '1,000' }).text).toBe('1,000 takes changed.');
  const one = t('cli.would_be_erased', { heads: 2, gone: 1, kept: 1 });
  expect(one.text).toBe('This erases 2 heads and 1 take for good; 1 of their takes stays.');
  expect(translate(one, 'zh-CN')).toBe('将永久清除 2 个头模和 1 个录制；其 1 个录制会保留。');
});

/** Nouns and states that other messages and table cells name; everything else is a whole sentence, line or heading. */
const isNoun = (key: string): boolean =>
  /^(term|glb_part|answer_value)\.|^cli\.(step|state)_/.test(key) ||
  [
    'cli.sex_not_said',
    'connections.no_address',
    'engine.this_machine',
    'score.together_text',
    'upstream.long_content_type',
    'upstream.no_content_type',
  ].includes(key);

test('no message is a part of a sentence', () => {
  // Names of files, options and symbols keep their small letters.
  const parts = entries.filter(
    ([key, { en }]) =>
      /^[\s,;:.(—–-]|^\p{Ll}/u.test(en) && !isNoun(key) && !/^(\w+\.(json|glb)\b|--\w|r = )/.test(en),
  );
  expect(parts.map(([key]) => key)).toEqual([]);
});

test('no sentence is said nowhere, and none twice', () => {
  const quoted = globSync(
    [
      'main/**/*.ts',
      'packages/!(messages)/src/**/*.ts',
      'preload/**/*.ts',
      'proto/**/*.ts',
      'renderer/**/*.{ts,tsx}',
      'packages/messages/src/message.ts',
    ],
    {
      cwd: root,
    },
  )
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/'([\w.]+)'/g)])
    .map(([, key]) => key);
  const said = new Set(quoted);
  const ofPhotos = new Set<string>(portraitErrorCodes.map((code) => `portrait.${code}`));
  // `cli.step_` and `cli.state_` are put together from a word of the contract.
  const unsaid = entries
    .map(([key]) => key)
    .filter(
      (key) =>
        !/^cli\.(step|state)_/.test(key) && !said.has(key) && !ofPhotos.has(key) && key !== 'glb.fault',
    );
  expect(unsaid).toEqual([]);
});

/** Main speaks to a person by the table: no Failure with a text of its own. Their number may only fall. */
test('a failure is said by a key', () => {
  const literal = globSync('{main,packages/!(messages)/src}/**/*.ts', { cwd: root }).flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return [
      ...source.matchAll(
        /(?:new (?:Failure|UpstreamError)\(\s*(?:'[a-z_]+'|[\w.]+(?: \?\? '[a-z_]+')?),|\bglbFailure\()\s*(['"`])/g,
      ),
    ].map(({ index }) => `${file}:${source.slice(0, index).split('\n').length}`);
  });
  expect(literal).toEqual([]);
  const hints = globSync('{main,packages/!(messages)/src}/**/*.ts', { cwd: root }).filter((file) =>
    /\bhint: ['"`][^'"`]/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(hints).toEqual([]);
});

test('is worded in the language of the moment, whatever it was when it was said', () => {
  const said = t('upstream.of', {
    operation: t('operation.get_model'),
    text: t('upstream.nothing_answers', { host: 'api.example.com' }),
  });
  expect(translate(said, 'en')).toBe('Get model: Nothing answers at api.example.com (connection refused).');
  expect(translate(said, 'zh-CN')).toBe('查询头模：api.example.com 没有应答（连接被拒绝）。');
  expect(translate(t('upstream.alone', { text: 'no' }), 'en')).toBe('No.');
  expect(translate({ key: 'of.a.later.studio', values: {}, text: 'Later.' }, 'zh-CN')).toBe('Later.');
});

test.each<[string, Message, Message, string, string]>([
  [
    'a fragment',
    t('engine.signal'),
    t('engine.restart'),
    'A signal ended it. Restart it in Settings',
    '被信号终止。请在',
  ],
  [
    'a server’s words',
    'out of memory',
    'Try again.',
    'Out of memory. Try again.',
    'Out of memory. Try again.',
  ],
  ['Chinese words', '人脸未找到', 'Try again.', '人脸未找到。 Try again.', '人脸未找到。Try again.'],
  ['a fragment alone', t('engine.it_ended'), '', 'It ended.', '已退出。'],
  [
    'brackets at the end',
    'Not saved (ENOSPC)',
    'free some space',
    'Not saved (ENOSPC). Free some space.',
    'Not saved (ENOSPC). Free some space.',
  ],
  ['a quoted sentence', 'It said “no.”', 'really?', 'It said “no.” Really?', 'It said “no.” Really?'],
  [
    'the name of a file',
    'model.glb is cut off',
    'a.b',
    'model.glb is cut off. a.b.',
    'model.glb is cut off. a.b.',
  ],
  [
    'whole sentences',
    t('storage.full', { name: 'a.db' }),
    'Done!',
    t('storage.full', { name: 'a.db' }).text,
    '“a.db”',
  ],
  [
    'a value that brings its own stop',
    t('engine.not_running', { reason: 'It broke.' }),
    '',
    'The built-in engine is not running. It broke.',
    '内置引擎没有运行。It broke.',
  ],
  [
    'a value without one',
    t('engine.not_running', { reason: t('engine.signal') }),
    '',
    'The built-in engine is not running. A signal ended it.',
    '内置引擎没有运行。被信号终止。',
  ],
])('joined messages are whole sentences in both languages: %s', (_what, first, second, english, chinese) => {
  const joined = joinMessages(first, second);
  expect(translate(joined, 'en')).toContain(english);
  expect(translate(joined, 'zh-CN')).toContain(chinese);
  for (const language of ['en', 'zh-CN'] as const)
    expect(translate(joined, language)).not.toMatch(/[.。][.。]|\p{L}$/u);
  // Joined again, nothing is added.
  expect(translate(joinMessages(joined, ''), 'zh-CN')).toBe(translate(joined, 'zh-CN'));
});

test('nothing joined with nothing stays empty', () => {
  expect(joinMessages('', '')).toBe('');
});

test('a text with braces, and a value named like one, stay as they are', () => {
  const said = t('storage.no_file', { file: '{name} $& {file}' });
  expect(said.text).toBe('“{name} $& {file}” is not a file.');
});

test('comes back from disk as it went, and as its text where the two differ', () => {
  const said = t('storage.full', { name: 'heads.db' });
  expect(restoredMessage(said.text, storedMessage(said))).toEqual(said);
  expect(restoredMessage('Something else.', storedMessage(said))).toBe('Something else.');
  expect(restoredMessage('A row of before.', null)).toBe('A row of before.');
  expect(restoredMessage('Torn.', '{"key":')).toBe('Torn.');
  expect(storedMessage('A server’s words.')).toBeNull();
  // A count that was written by a studio of before, which knew no singular.
  const counted = JSON.stringify({ key: 'cli.takes_changed', values: { count: 1 } });
  expect(restoredMessage('1 takes changed.', counted)).toBe('1 takes changed.');
  expect(restoredMessage('2 takes changed.', counted.replace('1', '2'))).toMatchObject({
    key: 'cli.takes_changed',
  });
});

test('a message that an earlier studio stored is shown in both languages', () => {
  const file = join(root, 'test/fixtures/messages_of_before.json');
  const before = JSON.parse(readFileSync(file, 'utf8')) as {
    text: string;
    stored: string;
    chinese: string;
  }[];
  for (const { text, stored, chinese } of before) {
    const message = restoredMessage(text, stored);
    expect(typeof message, text).toBe('object');
    const words = (shown: string): string => shown.toLowerCase().replace(/[.,:;]/g, '');
    expect(words(translate(message, 'en'))).toBe(words(text));
    expect(translate(message, 'zh-CN')).toBe(chinese);
  }
});

test('the values of a message are typed by its text, those of branches too', () => {
  // @ts-expect-error A value is missing.
  t('cli.takes_changed');
  // @ts-expect-error A branch needs it.
  t('refusal.audio_field', { field: 'encoding' });
  // @ts-expect-error There is no such value.
  expect(t('storage.no_file', { file: 'a', name: 'b' }).text).toBe('“a” is not a file.');
});

test('what must not be kept goes from its values too', () => {
  const without = (said: Message): Message => changed(said, (text) => text.replaceAll('Ada', 'the file'));
  const said = without(
    t('upstream.of', { operation: 'x', text: t('upstream.file_empty', { file: 'Ada.jpg' }) }),
  );
  expect(JSON.stringify(said)).not.toContain('Ada');
  expect(translate(said, 'zh-CN')).toBe('x：“the file.jpg”是空文件。');
  // What shows only where values meet leaves nothing but the text.
  const across = changed(t('side_by_side', { first: 'sec', second: 'ret' }), (text) =>
    text.replaceAll('secret', '[secret]'),
  );
  expect(across).toBe('[secret]');
});

test('every text of the help has its Chinese, and no other is kept', () => {
  const nothing = (): never => {
    throw new Error('no command is run here');
  };
  const context = {
    terminal: { out: nothing, error: nothing, environment: {} },
  } as unknown as CommandContext;
  const program = createProgram(context, { version: '1', engineOptions: {} });
  addCompletionCommand(program);
  const texts = new Set(['display help for command']);
  const walk = (command: Command): void => {
    texts.add(command.description());
    for (const { description } of [...command.options, ...command.registeredArguments])
      texts.add(description);
    if (command.name() !== 'completion') command.commands.forEach(walk);
  };
  walk(program);
  texts.delete('');
  expect([...texts].filter((text) => !(text in helpInChinese))).toEqual([]);
  // Those of `serve` are in `main/command_line.ts`.
  const cli = readFileSync(join(root, 'main/command_line.ts'), 'utf8');
  expect(Object.keys(helpInChinese).filter((text) => !texts.has(text) && !cli.includes(`'${text}'`))).toEqual(
    [],
  );
});
