import { spawn, spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { createTerminalShell } from '../../../../main/shell/none/shell.ts';

const question = { title: 'T', message: 'Sure?', detail: 'One.\nTwo.', yes: 'Do it', no: 'No' };
const shellThat = (ask?: (text: string) => Promise<boolean | null>) =>
  createTerminalShell({
    kind: 'browser',
    dataFolder: '/nowhere',
    writeLine: () => undefined,
    ...(ask && { ask }),
  });

it('a question is put in the terminal, with what it is about', async () => {
  let text = '';
  const shell = shellThat(async (asked) => {
    text = asked;
    return true;
  });
  expect(await shell.confirm(question)).toBe(true);
  expect(text).toBe('\nSure?\nOne.\nTwo.\nDo it: y   No: n   [n] ');
  expect(await shellThat(async () => false).confirm(question)).toBe(false);
});

it('without a terminal nobody is asked, and nothing is taken for a yes', async () => {
  const run = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { createTerminalShell } = await import(${JSON.stringify(`file://${import.meta.dirname}/../../../../main/shell/none/shell.ts`)});
       const shell = createTerminalShell({ kind: 'browser', dataFolder: '/nowhere', writeLine: () => {} });
       console.log(await shell.confirm(${JSON.stringify(question)}).catch(({ code, hint }) => code + ': ' + hint));`,
    ],
    { input: 'y\ny\n', encoding: 'utf8' },
  );
  expect(run.stdout.trim()).toBe(
    'not_allowed: Type the key again, or run “likeness connections bind NAME” in a terminal, or with --yes.',
  );
});

const hasPty = spawnSync('script', ['--version']).status === 0;

/**
 * Asks in a pseudo-terminal and types `early` before the question is there, `late` after. Nothing tells the
 * asking process when `early` has come, so it waits a moment.
 */
async function typed(early: string, late: string): Promise<string> {
  const code = `const { askInTerminal } = await import(${JSON.stringify(`file://${import.meta.dirname}/../../../../main/shell/none/terminal_question.ts`)});
    console.log('ready'); await new Promise((r) => setTimeout(r, ${early === '' ? 0 : 400}));
    console.log('answer ' + (await askInTerminal('QUESTION ')));`;
  const command = `${process.execPath} --input-type=module -e "$CODE"`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CODE: code },
  });
  let said = '';
  child.stdout.on('data', (data) => {
    said += String(data);
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  await expect.poll(() => said, { timeout: 20_000 }).toContain('ready');
  child.stdin.write(early);
  await expect.poll(() => said, { timeout: 20_000 }).toContain('QUESTION');
  child.stdin.write(late);
  await gone;
  return /answer (\w+)/.exec(said)?.[1] ?? said;
}

it.skipIf(!hasPty)('only a yes that is typed after the question is one', { timeout: 60_000 }, async () => {
  const answers = [typed('', 'y\n'), typed('', '\n'), typed('', 'no\n'), typed('y\ny\n', 'n\n')];
  expect(await Promise.all(answers)).toEqual(['true', 'false', 'false', 'false']);
});
