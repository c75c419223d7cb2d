/** Entry: the same studio without a window. `npm run likeness -- <arguments>`, packaged as `likeness`. */
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { Profile } from '#contract';
import { openConfFile } from './connections/secret_file.ts';
import { Failure } from './failure.ts';
import { createTerminalShell } from './shell/none/shell.ts';
import type { Shell, SystemSecrets } from './shell/shell.ts';
import { dataFolderPath, prepareDataFolder } from './storage/data_folder.ts';
import { createStudio, type Studio } from './studio.ts';

/** Where a command writes; tests give their own. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  environment: Readonly<Record<string, string | undefined>>;
  /** Given by the desktop program (`Likeness --cli …`), whose Electron is no plain Node. */
  fork?: Shell['fork'];
  systemSecrets?: SystemSecrets | null;
}

/** Version of the studio, from its package. */
async function studioVersion(): Promise<string> {
  const file = fileURLToPath(new URL('../../package.json', import.meta.url));
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  return version;
}

/** Runs one command. @returns The exit code: 0 only where everything that was asked for was done. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const line = (text: string): void => terminal.out(`${text}\n`);

  /** Opens the studio for one command and closes it, whatever happens. */
  const withStudio = async (action: (studio: Studio) => Promise<void>): Promise<void> => {
    const { folder } = prepareDataFolder(
      dataFolderPath({ platform: process.platform, environment: terminal.environment, home: homedir() }),
    );
    const { fork, systemSecrets } = terminal;
    const shell = createTerminalShell({
      kind: 'none',
      dataFolder: folder,
      say: line,
      ...(fork && { fork }),
      ...(systemSecrets && { systemSecrets }),
    });
    const studio = await createStudio(shell, {
      openSecretFile: openConfFile,
      pageOrigin: () => null,
      engineEntry: fileURLToPath(new URL('./engine.js', import.meta.url)),
      packageFile: fileURLToPath(new URL('../../package.json', import.meta.url)),
      environment: terminal.environment,
    });
    try {
      await action(studio);
    } finally {
      await studio.close();
    }
  };

  const program = new Command('likeness')
    .description('Likeness Studio without a window: portraits to 3D heads, speech to face animation')
    .version(await studioVersion())
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.error });

  program
    .command('serve')
    .description('serve the studio in a browser tab on this machine')
    .option('--port <port>', 'fixed port instead of any free one', portNumber, 0)
    .option('--open', 'open the browser', false)
    .action(async (options: { port: number; open: boolean }) => {
      const { serve } = await import('./serve.ts');
      await serve(options);
      await new Promise(() => {}); // until the process is told to stop
    });

  const journal = program.command('journal').description('the audit log of every call to a server');
  journal
    .command('verify')
    .description('check that nothing was altered, removed or reordered')
    .option('--json', 'as JSON', false)
    .action((options: { json: boolean }) =>
      withStudio(async ({ handlers }) => {
        const report = await handlers.journal.verify(undefined);
        line(options.json ? JSON.stringify(report) : `${report.ok ? 'Intact' : 'BROKEN'}: ${report.detail}`);
        if (!report.ok) exitCode = 1;
      }),
    );
  journal
    .command('export')
    .description('write the journal to a file or to standard output')
    .option('--format <format>', 'csv or jsonl', oneOf('csv', 'jsonl'), 'jsonl')
    .option('-o, --out <file>', 'file to write')
    .action((options: { format: 'csv' | 'jsonl'; out?: string }) =>
      withStudio(async ({ handlers }) => {
        const { text } = await handlers.journal.export({ format: options.format, filter: {} });
        if (options.out) await writeFile(options.out, text);
        else terminal.out(text);
      }),
    );
  journal
    .command('usage')
    .description('what was used and what it cost, by connection')
    .option('--month <month>', 'such as 2026-11; default: this one')
    .option('--json', 'as JSON', false)
    .action((options: { month?: string; json: boolean }) =>
      withStudio(async ({ handlers }) => {
        const month = options.month ?? new Date().toISOString().slice(0, 7);
        const usage = await handlers.journal.usage({ month });
        if (options.json) return line(JSON.stringify(usage));
        if (usage.profiles.length === 0) return line(`Nothing was used in ${month}.`);
        for (const {
          profileName,
          calls,
          failed,
          seconds,
          frames,
          models,
          cost,
          currency,
        } of usage.profiles) {
          line(
            `${profileName}: ${calls} calls (${failed} failed), ${seconds.toFixed(1)} s, ${frames} frames, ${models} models, ${cost.toFixed(2)} ${currency}`,
          );
        }
      }),
    );

  const connections = program.command('connections').description('the servers that the studio can talk to');
  connections
    .command('list')
    .description('list the connections')
    .option('--json', 'as JSON', false)
    .action((options: { json: boolean }) =>
      withStudio(async ({ handlers }) => {
        const profiles = await handlers.connections.list(undefined);
        if (options.json) return line(JSON.stringify(profiles));
        for (const profile of profiles) line(describeProfile(profile));
      }),
    );
  connections
    .command('test <name>')
    .description('try a connection; sends nothing that could be billed')
    .action((name: string) =>
      withStudio(async ({ handlers }) => {
        const profile = await profileNamed(name, handlers);
        const report = await handlers.connections.test({ id: profile.id });
        for (const { outcome, request, detail, hint } of report.steps) {
          line(`${outcome.padEnd(8)}${request}\n        ${detail}${hint ? ` ${hint}` : ''}`);
        }
        if (!report.ok) exitCode = 1;
      }),
    );

  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof Failure)) throw error;
    terminal.error(`${error.message}${error.hint ? `\n${error.hint}` : ''}\n`);
    return 1;
  }
  return exitCode;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('a port, 0 to 65535');
  return port;
}

function oneOf(...words: string[]): (text: string) => string {
  return (text) => {
    if (!words.includes(text)) throw new InvalidArgumentError(`one of ${words.join(', ')}`);
    return text;
  };
}

async function profileNamed(name: string, handlers: Studio['handlers']): Promise<Profile> {
  const profiles = await handlers.connections.list(undefined);
  const found = profiles.find(
    (profile) => profile.id === name || profile.name.toLowerCase() === name.toLowerCase(),
  );
  if (found) return found;
  throw new Failure('not_found', `There is no connection called “${name}”.`, {
    hint: `There are: ${profiles.map((profile) => profile.name).join(', ')}.`,
  });
}

const describeProfile = ({ name, isDefault, builtIn, groupAUrl, groupBUrl }: Profile): string =>
  `${isDefault ? '* ' : '  '}${name}${builtIn ? ' (on this machine)' : ` — A: ${groupAUrl || 'not set'}, B: ${groupBUrl || 'not set'}`}`;

if (import.meta.main) {
  // A reader that closed its end early (head, less) is no failure of ours.
  process.stdout.on('error', () => process.exit(0));
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
    environment: process.env,
  });
}
