import type { Command } from 'commander';

/** Puts examples under a command's help: what follows `likeness`, or a line that pipes into it, and a remark where it needs one. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText(
    'after',
    [
      '',
      'Examples:',
      ...examples.map((example) =>
        example.includes('| likeness') ? `  ${example}` : `  likeness ${example}`,
      ),
    ].join('\n'),
  );
}
