import { t } from '@likeness/messages';
import type { Library } from '#contract';
import type { CommandContext } from '../command_context.ts';
import { printable } from '../output/printable.ts';

/**
 * Reports on standard error which libraries can't be read now, so that “0 heads” does not look like an empty
 * library.
 */
export function reportUnconnected(libraries: readonly Library[], { terminal, words }: CommandContext): void {
  for (const { name, folder, available } of libraries)
    if (!available) terminal.error(`${printable(words(t('cli.library_away', { name, folder })))}\n`);
}
