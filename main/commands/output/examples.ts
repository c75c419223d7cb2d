import type { Command } from 'commander';

/** Adds examples to a command's help: the text after `likeness`, and a remark where necessary. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText(
    'after',
    ['', 'Examples:', ...examples.map((example) => `  likeness ${example}`)].join('\n'),
  );
}
