/**
 * The built command line in a pipeline: JSON and nothing else, words only where they are wanted, nothing
 * written over.
 */
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { prepareDataFolder } from '@likeness/node-kit/storage/data_folder.ts';
import { acquireInstanceLock } from '@likeness/node-kit/storage/instance_lock.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLine, type Ended, spawnCommand } from '../support/command_line.ts';
import { openTakes, recordTake } from '../support/recorded_takes.ts';

const iso = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
let home: string;
let work: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'likeness-pipeline-home-'));
  work = await mkdtemp(join(tmpdir(), 'likeness-pipeline-'));
  const samples = Float32Array.from({ length: 16_000 }, (_, at) => Math.sin(at / 6) / 2);
  await mkdir(join(work, 'sounds'));
  await writeFile(join(work, 'sounds', 'voice.wav'), encodeWav({ sampleRate: 16_000, samples }));
});
afterAll(async () => {
  for (const folder of [home, work]) await rm(folder, { recursive: true, force: true });
});

const likeness = commandLine(() => ({ LIKENESS_HOME: home }));
/** Standard output as JSON lines; anything else there is a fault. */
const parsed = ({ out }: Ended): unknown[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('talk: looks without writing, writes over nothing unless told, and tells each file as JSON', {
  timeout: 120_000,
}, async () => {
  const voice = join(work, 'sounds', 'voice.wav');
  const out = join(work, 'faces');
  const talk = (...more: string[]) => likeness('talk', voice, '--out', out, '--format', 'jsonl', ...more);
  const written = ['voice.jsonl', 'voice.wav'].map((name) => join(out, name));

  const dry = await spawnCommand(['talk', voice, '--out', out, '--format', 'jsonl', '--dry-run', '--json'], {
    LIKENESS_HOME: home,
  }).ended;
  expect(dry.code).toBe(0);
  expect(parsed(dry)).toEqual([{ file: voice, written, seconds: 1, dryRun: true }]);
  expect(await readdir(work)).not.toContain('faces');

  const quiet = await talk('--quiet');
  expect(quiet).toEqual({ code: 0, out: '', error: '' });
  const before = (await stat(written[0]!)).mtimeMs;

  const again = await talk('--json');
  expect(again.code).toBe(1);
  expect(parsed(again)).toEqual([
    {
      file: voice,
      error: expect.objectContaining({ code: 'conflict', hint: expect.stringContaining('--overwrite') }),
    },
  ]);
  expect((await stat(written[0]!)).mtimeMs).toBe(before);

  const missing = join(work, 'sounds', 'missing.wav');
  const partly = await talk(missing, '--overwrite', '--json');
  expect(partly.code).toBe(3);
  expect(parsed(partly)).toEqual([
    { file: voice, written, seconds: 1, dryRun: false },
    { file: missing, error: expect.anything() },
  ]);
  expect((await stat(written[0]!)).mtimeMs).toBeGreaterThan(before);
});

test('talk: words beside a sound that has none are told, and no words are missed', {
  timeout: 120_000,
}, async () => {
  const sounds = join(work, 'spoken');
  await mkdir(sounds);
  await copyFile(join(work, 'sounds', 'voice.wav'), join(sounds, 'voice.wav'));
  await writeFile(join(sounds, 'voice.txt'), 'The quick brown fox jumps over the lazy dog.');
  const out = join(work, 'spoken-faces');
  const told = await likeness('talk', sounds, '--out', out, '--format', 'jsonl,visemes,rhubarb', '--json');
  expect(told.code).toBe(0);
  expect(told.error).toContain('voice.txt');
  const [one] = parsed(told) as { written: string[]; words: { script: string; problem: string } }[];
  expect(one?.words).toMatchObject({
    script: join(sounds, 'voice.txt'),
    problem: expect.stringMatching(/\w/),
  });
  expect((await readdir(out)).sort()).toEqual(
    ['jsonl', 'rhubarb.json', 'rhubarb.tsv', 'visemes.tsv', 'wav'].map((ending) => `voice.${ending}`),
  );
  const visemes = (await readFile(join(out, 'voice.visemes.tsv'), 'utf8')).split('\n');
  expect(visemes[0]).toMatch(/^0\.00\t\w+$/);
  expect(visemes.slice(-2)).toEqual(['1.00\tsil', '']);
});

test('talk: options that contradict one another are told before anything is heard', {
  timeout: 120_000,
}, async () => {
  const talk = (...more: string[]) =>
    likeness('talk', join(work, 'sounds', 'voice.wav'), '--out', join(work, 'never'), ...more);
  const off = await talk('--full-pass', 'off', '--jaw', '1.5');
  expect([off.code, off.error]).toEqual([2, expect.stringContaining('--jaw')]);
  expect((await talk('--jaw', '7')).error).toContain('0.2 to 2');
  const noWords = await talk('--no-words', '--format', 'srt', '--json');
  expect(parsed(noWords)).toEqual([
    expect.objectContaining({ error: expect.objectContaining({ hint: expect.stringContaining('--words') }) }),
  ]);
  expect(await readdir(work)).not.toContain('never');
});

test('take: list, export, trash and erase', { timeout: 120_000 }, async () => {
  const takes = await openTakes(prepareDataFolder(home).takesFolder, {
    clock: () => Date.UTC(2026, 10, 23, 12),
  });
  const sound = Float32Array.from({ length: 24_000 }, (_, at) => Math.sin(at / 20) / 2);
  for (let count = 0; count < 2; count++) await recordTake(takes, {}, sound);
  const [list] = parsed(await likeness('take', 'list', '--json')) as [{ id: string; createdAt: string }[]];
  expect(list).toHaveLength(2);
  expect(list[0]?.createdAt).toMatch(iso);
  const [first, second] = list.map(({ id }) => id) as [string, string];
  expect((await likeness('take', 'list')).out).toMatch(/Hello\n.*Hello\n2 takes\n$/);

  expect((await likeness('take', 'tag', first, '--add', 'film,day 2')).out).toBe('1 take changed.\n');
  expect(parsed(await likeness('take', 'rate', '4', '--search', 'tag:film', '--json'))).toEqual([
    { changed: 1 },
  ]);
  const found = await likeness('take', 'list', '--search', 'tag:"day 2" rating:>3');
  expect(found.out).toMatch(/★★★★ {2}Hello {2}#film {2}#day 2\n1 take\n$/);
  expect((await likeness('take', 'list', '--search', 'colour:red')).code).toBe(2);
  expect((await likeness('take', 'rate', '3')).code).toBe(2);
  const [score] = parsed(await likeness('take', 'score', first, '--json')) as [
    { figures: { key: string; value: number | null }[] },
  ];
  expect(score.figures.find(({ key }) => key === 'missing')).toMatchObject({ value: 30 });

  const out = join(work, 'takes');
  const all = () => likeness('take', 'export', '--all', '--out', out, '--format', 'jsonl', '--json');
  const exported = await all();
  expect(exported.code).toBe(0);
  // Two of one name: both are there.
  const files = ['Hello.jsonl', 'Hello.wav', 'Hello (2).jsonl', 'Hello (2).wav'];
  expect(parsed(exported).flatMap((one) => (one as { written: string[] }).written)).toEqual(
    files.map((name) => join(out, name)),
  );
  expect((await readFile(join(out, 'Hello.wav'))).subarray(0, 4).toString()).toBe('RIFF');
  expect((await all()).code).toBe(1);
  const named = await likeness(
    ...['take', 'export', '--all', '--out', join(work, 'named'), '--format', 'csv,a2f', '--rate', '29.97'],
    ...['--name', '{name}_{rate}_{number:2}', '--json'],
  );
  expect(
    parsed(named).flatMap((one) => (one as { written: string[] }).written.map((path) => basename(path))),
  ).toEqual(
    ['Hello_29_97_01', 'Hello_29_97_02'].flatMap((stem) =>
      ['face.csv', 'a2f.json', 'wav'].map((ending) => `${stem}.${ending}`),
    ),
  );
  expect((await likeness('take', 'export', '--all', '--out', out, '--rate', '29')).code).toBe(2);
  expect((await likeness('take', 'export', '--out', out)).code).toBe(2);
  const some = await likeness(
    'take',
    'export',
    first,
    'nobody',
    '--out',
    join(work, 'some'),
    '--format',
    'jsonl',
  );
  expect(some).toMatchObject({ code: 3, out: expect.stringContaining('✗ nobody: There is no take') });

  const edits = join(work, 'edits.json');
  await writeFile(edits, '[{"kind":"region","region":"jaw","changes":{"gain":1.5}}]');
  expect((await likeness('take', 'edit', first)).code).toBe(2);
  expect(parsed(await likeness('take', 'edit', first, '--operations', edits, '--json'))).toMatchObject([
    { id: first, revision: 1 },
  ]);
  await writeFile(edits, '[{"kind":"region","region":"tail","changes":{}}]');
  expect(await likeness('take', 'edit', first, '--operations', edits)).toMatchObject({
    code: 2,
    error: expect.stringContaining('edits.md'),
  });
  await likeness('take', 'edit', first, '--name', 'louder');
  await likeness('take', 'edit', first, '--undo');
  expect((await likeness('take', 'edit', first, '--open', 'louder')).out).toContain('revision 4');
  expect(parsed(await likeness('take', 'show', first, '--json'))).toMatchObject([
    { id: first, revision: 4, edits: { regions: { jaw: { gain: 1.5 } } }, versions: [{ name: 'louder' }] },
  ]);
  expect((await likeness('take', 'show', first)).out).toMatch(
    /jaw {2}\{"gain":1\.5.*version {2}1 {2}louder/s,
  );
  // These takes were recorded without a face.
  expect(await likeness('take', 'verify', '--all')).toMatchObject({
    code: 1,
    out: expect.stringContaining('face.pb: There is no face in it.'),
  });

  expect(await likeness('take', 'trash', first, '-q')).toEqual({ code: 0, out: '', error: '' });
  expect(parsed(await likeness('take', 'list', '--trash', '--json'))).toEqual([
    [expect.objectContaining({ id: first })],
  ]);
  expect(await likeness('take', 'erase', first, second)).toMatchObject({ code: 4, out: '' });
  expect(parsed(await likeness('take', 'erase', first, second, '--yes', '--json'))).toEqual([
    { ids: [first, second], erased: 2 },
  ]);
  expect(parsed(await likeness('take', 'list', '--json'))).toEqual([[]]);
});

test('--json is all that is on standard output, of every command that tells something', {
  timeout: 120_000,
}, async () => {
  for (const command of [
    ['library', 'list'],
    ['library', 'folders'],
    ['library', 'verify'],
    ['library', 'rebuild'],
    ['library', 'add', join(work, 'more-heads')],
    ['library', 'records', '-o', join(work, 'heads.csv')],
    ['connections', 'list'],
    ['connections', 'test', 'Built-in engine'],
    ['journal', 'verify'],
    ['journal', 'usage'],
    ['journal', 'export'],
    ['journal', 'export', '-o', join(work, 'journal.csv'), '--format', 'csv'],
  ]) {
    const ended = await likeness('--json', ...command);
    expect(ended, command.join(' ')).toMatchObject({ code: 0, error: '' });
    expect(parsed(ended).length, command.join(' ')).toBeGreaterThan(0);
  }
  // A process has nothing to add to it.
  const alone = await spawnCommand(['--json', 'library', 'list'], { LIKENESS_HOME: home }).ended;
  expect(alone).toMatchObject({ code: 0, error: '' });
  expect(parsed(alone)).toHaveLength(1);
  const [profiles] = parsed(await likeness('connections', 'list', '--json')) as [{ createdAt: string }[]];
  expect(profiles[0]?.createdAt).toMatch(iso);
});

test('what ends a command is told as JSON too, beside the sentence on standard error', {
  timeout: 120_000,
}, async () => {
  for (const [command, exitCode, code] of [
    [['connections', 'bind', 'Built-in engine'], 4, 'not_allowed'],
    [['library', 'erase', 'nobody'], 1, 'not_found'],
    [['library', 'again'], 2, 'invalid_input'],
    [['library', 'export', '-o', 'x.glb'], 2, 'invalid_input'],
    [['library', 'list', '--colour'], 2, 'invalid_input'],
  ] as const) {
    const ended = await likeness(...command, '--json');
    expect(ended.code, command.join(' ')).toBe(exitCode);
    const [told, ...more] = parsed(ended) as { error: { code: string; message: string } }[];
    expect([told?.error.code, more]).toEqual([code, []]);
    expect(ended.error).toContain(told?.error.message);
  }
});

test('batch: a folder that is not there is told before anything else', async () => {
  // A data folder that can't be opened would be the first fault otherwise.
  await writeFile(join(work, 'a file'), '');
  const withFile = commandLine(() => ({ LIKENESS_HOME: join(work, 'a file') }));
  expect(await withFile('batch', '/nope', '--sex', 'male')).toEqual({
    code: 1,
    out: '',
    error: 'There is no such folder or file: /nope.\n',
  });
});

/** What writes completions writes to the process's own standard output. */
async function completion(...args: string[]): Promise<Ended> {
  return spawnCommand(args, { LIKENESS_HOME: home }).ended;
}

describe.each(['bash', 'zsh', 'fish'])('completion in %s', (shell) => {
  let script: Ended;
  beforeAll(async () => {
    script = await completion('completion', shell);
  });

  test('is a script', () => {
    expect([script.code, script.out.includes('likeness')]).toEqual([0, true]);
  });

  test.skipIf(spawnSync(shell, ['-c', 'true']).status !== 0)('is one that the shell reads', () => {
    expect(spawnSync(shell, ['-n'], { input: script.out }).status).toBe(0);
  });
});

test('completion: what a script of a shell asks for', async () => {
  const offered = async (...words: string[]): Promise<string[]> =>
    (await completion('complete', '--', ...words)).out.split('\n').map((line) => line.split('\t')[0] ?? '');
  const [commands, ofLibrary, sexes, ofExport] = await Promise.all([
    offered(''),
    offered('library', ''),
    offered('head', '--sex', ''),
    offered('library', 'export', '--'),
  ]);
  expect(commands).toEqual(expect.arrayContaining(['head', 'take', 'completion']));
  expect(ofLibrary).toEqual(expect.arrayContaining(['list', 'search', 'export']));
  expect(sexes).toEqual(expect.arrayContaining(['female', 'male']));
  expect(ofExport).toEqual(expect.arrayContaining(['--query', '--all']));
});

test('settings: one file out and in; a damaged one is a fault of the usage; not under an open studio', {
  timeout: 60_000,
}, async () => {
  const file = join(work, 'settings.json');
  const exported = await spawnCommand(['settings', 'export', file], { LIKENESS_HOME: home }).ended;
  expect(exported).toMatchObject({ code: 0, error: '' });
  const content = JSON.parse(await readFile(file, 'utf8'));
  expect(content).toMatchObject({ format: 'likeness-settings', version: 1, settings: { theme: 'dark' } });
  await writeFile(file, JSON.stringify({ ...content, settings: { theme: 'light' } }));

  const dry = await likeness('settings', 'import', file, '--dry-run', '--json');
  const changes = [{ what: 'setting', name: 'theme', fields: [], from: '"dark"', to: '"light"' }];
  expect(parsed(dry)).toEqual([{ changes, leftOut: [], dryRun: true }]);
  const theme = async (): Promise<string> =>
    JSON.parse(await readFile(join(home, 'settings.json'), 'utf8').catch(() => '{}')).theme ?? 'dark';
  expect(await theme()).toBe('dark');

  const instance = await acquireInstanceLock({ folder: home, kind: 'serve', processId: 1, clock: Date.now });
  if (!instance.isAcquired) throw new Error('nobody else is there');
  const refused = await likeness('settings', 'import', file);
  expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('The studio is open') });
  expect(await theme()).toBe('dark');
  instance.lock.release();

  expect(await likeness('settings', 'import', file)).toEqual({
    code: 0,
    out: 'theme: "dark" → "light"\n',
    error: '',
  });
  expect(await theme()).toBe('light');

  await writeFile(file, '{"format":');
  expect(await likeness('settings', 'import', file)).toMatchObject({
    code: 2,
    error: expect.stringContaining('not JSON'),
  });
  expect((await likeness('settings', 'import', join(work, 'nowhere.json'))).code).toBe(1);
});
