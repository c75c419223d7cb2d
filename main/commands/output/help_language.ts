import type { Language } from '@likeness/messages';
import { helpFrame, helpInChinese } from '@likeness/messages/help.ts';
import type { Command } from 'commander';

/** Translates a command's help; a text without translation stays English. */
export function helpIn(language: Language, command: Command): void {
  if (language === 'en') return;
  const worded = (text: string): string => helpInChinese[text] ?? text;
  command.description(worded(command.description()));
  command.helpOption('-h, --help', worded('display help for command'));
  for (const argument of command.registeredArguments) argument.description = worded(argument.description);
  for (const option of command.options) option.description = worded(option.description);
  for (const inner of command.commands) {
    if (inner.name() === 'help') inner.description(worded('display help for command'));
    helpIn(language, inner);
  }
}

/** Translates commander's titles and errors. */
export const frameIn = (language: Language, text: string): string =>
  language === 'en'
    ? text
    : helpFrame.reduce((text, [english, chinese]) => text.replace(english, chinese), text);
