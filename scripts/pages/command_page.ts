/** The list of commands in `docs/cli.md`, from the program as commander knows it. */
import type { Command } from 'commander';
import type { CommandContext } from '../../main/commands/command_context.ts';
import { addCompletionCommand, createProgram } from '../../main/commands/program.ts';

const marker = '<!-- Made by `npm run docs` from main/commands: change those, not what follows. -->';

/** @param page what the page says now: all before its marker stays */
export function commandPage(page: string): string {
  const [intro = ''] = page.split(marker);
  const context = { terminal: { environment: {} } } as unknown as CommandContext;
  const program = createProgram(context, { version: '', engineOptions: {} });
  addCompletionCommand(program);
  const lines = program.commands.flatMap((command) => commandLines(command, 'likeness'));
  return `${intro.trimEnd()}\n\n${marker}\n\n## Commands\n\n${lines.join('\n').trimEnd()}\n`;
}

function commandLines(command: Command, before: string): string[] {
  const name = `${before} ${command.name()}`;
  const below = command.name() === 'completion' ? [] : command.commands;
  const title = [`### ${name}`, '', `${sentence(command.description())}`, ''];
  if (below.length > 0) return [...title, ...below.flatMap((each) => commandLines(each, name))];
  const inputs = command.registeredArguments.map((each) => [
    each.required
      ? `<${each.name()}${each.variadic ? '…' : ''}>`
      : `[${each.name()}${each.variadic ? '…' : ''}]`,
    each.description,
  ]);
  const options = command.options.map((each) => [
    each.flags,
    [each.description, each.argChoices && `(${each.argChoices.join(', ')})`].filter(Boolean).join(' '),
  ]);
  const rows = [...inputs, ...options].map(([left, right]) => `| \`${left}\` | ${cell(right ?? '')} |`);
  return [...title, ...(rows.length > 0 ? ['| | |', '|---|---|', ...rows, ''] : [])];
}

const cell = (text: string): string => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
