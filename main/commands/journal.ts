import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { choiceOf } from './choice.ts';
import type { CommandContext } from './command_context.ts';
import { printableText } from './printable.ts';

/** `likeness journal verify | export | usage`. */
export function addJournalCommands(
  program: Command,
  { terminal, withStudio, line, fell, signal }: CommandContext,
): void {
  const journal = program.command('journal').description('the audit log of every call to a server');
  journal
    .command('verify')
    .description('check that nothing was altered, removed or reordered')
    .option('--json', 'as JSON', false)
    .action((flags: { json: boolean }) =>
      withStudio(async ({ handlers }) => {
        const report = await handlers.journal.verify(undefined);
        line(flags.json ? JSON.stringify(report) : `${report.ok ? 'Intact' : 'BROKEN'}: ${report.detail}`);
        if (!report.ok) fell();
      }),
    );
  journal
    .command('export')
    .description('write the journal, of any length, to a file or to standard output')
    .option('--format <format>', 'csv or jsonl', choiceOf('csv', 'jsonl'), 'jsonl')
    .option('-o, --out <file>', 'file to write')
    .action((flags: { format: 'csv' | 'jsonl'; out?: string }) =>
      withStudio(async ({ exportJournal }) => {
        const pieces = exportJournal(flags.format);
        if (flags.out) await pipeline(Readable.from(pieces), createWriteStream(flags.out, { mode: 0o600 }));
        else
          for await (const piece of pieces) {
            if (signal.aborted) break;
            terminal.out(printableText(piece));
          }
      }),
    );
  journal
    .command('usage')
    .description('what was used and what it cost, by connection')
    .option('--month <month>', 'such as 2026-11; default: this one')
    .option('--json', 'as JSON', false)
    .action((flags: { month?: string; json: boolean }) =>
      withStudio(async ({ handlers }) => {
        const month = flags.month ?? new Date().toISOString().slice(0, 7);
        const usage = await handlers.journal.usage({ month });
        if (flags.json) return line(JSON.stringify(usage));
        if (usage.profiles.length === 0) return line(`Nothing was used in ${month}.`);
        for (const used of usage.profiles) {
          const { profileName, calls, failed, seconds, frames, models, cost, currency } = used;
          line(
            `${profileName}: ${calls} calls (${failed} failed), ${seconds.toFixed(1)} s, ${frames} frames, ${models} models, ${cost.toFixed(2)} ${currency}`,
          );
        }
      }),
    );
}
