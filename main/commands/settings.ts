import { open } from 'node:fs/promises';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { acquireInstanceLock } from '@likeness/node-kit/storage/instance_lock.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { Command } from 'commander';
import { type BackUpReading, longestBackUp, type SettingChange } from '#contract';
import type { CommandContext } from './command_context.ts';
import { withExamples } from './output/examples.ts';

const choose = t('settings_file.choose');
const problems: Record<NonNullable<BackUpReading['problem']>, readonly [message: Message, hint: Message]> = {
  too_large: [t('settings_file.too_large'), choose],
  not_json: [t('settings_file.not_json'), t('settings_file.other_kind')],
  not_settings: [t('settings_file.not_settings'), choose],
  newer: [t('settings_file.newer'), t('settings_file.update')],
  empty: [t('settings_file.empty'), choose],
};

/** `likeness settings export | import`. */
export function addSettingsCommands(
  program: Command,
  { withStudio, result, success, path }: CommandContext,
): void {
  const settings = withExamples(
    program.command('settings').description('back up and restore all settings, without keys'),
    'settings export settings.json',
    'settings import settings.json --dry-run',
  );
  withExamples(
    settings
      .command('export <file>')
      .description('write settings and connections; the browser keeps its own settings'),
    'settings export settings.json',
  ).action((file: string) =>
    withStudio(async ({ handlers }) => {
      const { text } = await handlers.app.backUpSettings({ page: {} });
      await writeFileAtomically(path(file), text);
      success({ file }, t('cli.settings_saved', { file }));
    }),
  );
  withExamples(
    settings
      .command('import <file>')
      .description('restore settings from a file; connections that it does not name stay'),
    'settings import settings.json --dry-run   # what would change',
    'settings import settings.json --json',
  )
    .option('--dry-run', 'show what would change, and change nothing', false)
    .action((file: string, { dryRun }: { dryRun: boolean }) =>
      withStudio(async ({ handlers }) => {
        const text = await textOf(path(file));
        const lock = dryRun ? null : await mustBeAlone((await handlers.app.info(undefined)).dataFolder);
        try {
          const reading = await (dryRun
            ? handlers.app.compareBackUp({ text })
            : handlers.app.readBackUp({ text }));
          if (reading.problem) {
            const [message, hint] = problems[reading.problem];
            throw new Failure('invalid_input', message, { hint });
          }
          const ofThePage = Object.keys(reading.page);
          const value = { changes: reading.changes, leftOut: reading.leftOut, dryRun };
          const lines = [
            ...reading.changes.map(describe),
            ...reading.leftOut.map((what) => t('cli.settings_left_out', { what })),
            ...(ofThePage.length > 0 ? [t('cli.settings_of_page', { parts: ofThePage.join(', ') })] : []),
          ];
          (dryRun ? result : success)(value, lines.length > 0 ? lines : t('cli.settings_same'));
        } finally {
          lock?.release();
        }
      }),
    );
}

const describe = ({ what, name, fields, from, to }: SettingChange): Message =>
  what === 'connection_added'
    ? t('cli.setting_added', { name })
    : what === 'connection_changed'
      ? t('cli.setting_connection', { name, fields: fields.join(', '), moved: String(from !== to), from, to })
      : what === 'default_connection'
        ? t('cli.setting_default', { name })
        : t('cli.setting_changes', { name, from, to });

/** A running studio keeps its settings in memory and would overwrite these. */
async function mustBeAlone(folder: string): Promise<{ release(): void }> {
  const instance = await acquireInstanceLock({
    folder,
    kind: 'cli',
    processId: process.pid,
    clock: Date.now,
  });
  if (instance.isAcquired) return instance.lock;
  throw new Failure('conflict', t('back_up.studio_open'), {
    hint: t('back_up.read_there'),
  });
}

/** @throws Failure `storage` if the file can't be read, `invalid_input` if it is too large for settings. */
async function textOf(file: string): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      if (size > 2 * longestBackUp)
        throw new Failure('invalid_input', problems.too_large[0], { hint: problems.too_large[1] });
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof Failure ? error : storageFailure(error, file);
  }
}
