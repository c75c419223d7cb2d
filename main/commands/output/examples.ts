import type { Command } from 'commander';

/** Puts examples under a command's help: what follows `likeness`, and a remark where it needs one. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText(
    'after',
    ['', 'Examples:', ...examples.map((example) => `  likeness ${example}`)].join('\n'),
  );
}
