import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { t } from '@likeness/messages';
import { type Command, Option } from 'commander';
import type { CommandContext } from './command_context.ts';
import { withExamples } from './output/examples.ts';
import { exitCodes } from './output/exit_code.ts';
import { printablePiece } from './output/printable.ts';

/** `likeness journal verify | export | usage`. */
export function addJournalCommands(
  program: Command,
  { terminal, withStudio, result, success, asJson, setExitCode, path, signal }: CommandContext,
): void {
  const journal = withExamples(
    program.command('journal').description('verify and export the audit log of all calls to servers'),
    'journal verify',
    'journal usage --month 2026-11',
  );
  withExamples(
    journal.command('verify').description('check that nothing was altered, removed or reordered'),
    'journal verify',
    'journal verify --json',
  ).action(() =>
    withStudio(async ({ handlers }) => {
      const report = await handlers.journal.verify(undefined);
      const text = t(report.ok ? 'cli.intact' : 'cli.broken', { detail: report.detail });
      if (report.ok) return success(report, text);
      result(report, text);
      setExitCode(exitCodes.other);
    }),
  );
  withExamples(
    journal.command('export').description('write the whole journal to a file or to standard output'),
    'journal export > journal.jsonl            # entries as they are, hash included',
    'journal export --format csv -o journal.csv',
  )
    .addOption(new Option('--format <format>', 'file format').choices(['csv', 'jsonl']).default('jsonl'))
    .option('-o, --out <file>', 'file to write')
    .action((flags: { format: 'csv' | 'jsonl'; out?: string }) =>
      withStudio(async ({ exportJournal }) => {
        const pieces = exportJournal(asJson() && !flags.out ? 'jsonl' : flags.format);
        if (flags.out) {
          await pipeline(Readable.from(pieces), createWriteStream(path(flags.out), { mode: 0o600 }));
          success({ file: flags.out, format: flags.format }, []);
        } else
          for await (const piece of pieces) {
            if (signal.aborted) break;
            terminal.out(printablePiece(piece));
          }
      }),
    );
  withExamples(
    journal.command('usage').description('show usage and cost by connection'),
    'journal usage',
    'journal usage --month 2026-11 --json',
  )
    .option('--month <month>', 'month such as 2026-11; default: this month')
    .action((flags: { month?: string }) =>
      withStudio(async ({ handlers }) => {
        const month = flags.month ?? new Date().toISOString().slice(0, 7);
        const usage = await handlers.journal.usage({ month });
        const texts = usage.profiles.map(
          ({ profileName, calls, failed, seconds, frames, models, cost, currency }) =>
            t('cli.usage', {
              profileName,
              calls,
              failed,
              seconds: seconds.toFixed(1),
              frames,
              models,
              cost: cost.toFixed(2),
              currency,
            }),
        );
        result(usage, texts.length > 0 ? texts : t('cli.nothing_used', { month }));
      }),
    );
}
