import tab from '@bomb.sh/tab/commander';
import type { MakersOptions } from '@likeness/engine/models/makers.ts';
import type { PortraitEngineOptions } from '@likeness/portrait/engine.ts';
import { Command } from 'commander';
import { addBatchCommand } from './batch.ts';
import type { CommandContext } from './command_context.ts';
import { addConnectionsCommands } from './connections.ts';
import { addConvertCommand } from './convert.ts';
import { addHeadCommand } from './head.ts';
import { addImageCommands } from './image.ts';
import { addJournalCommands } from './journal.ts';
import { addLibraryCommands } from './library/library_commands.ts';
import { addModelCommands } from './model.ts';
import { withExamples } from './output/examples.ts';
import { exitCodeHelp } from './output/exit_code.ts';
import { frameIn } from './output/help_language.ts';
import { printableText } from './output/printable.ts';
import { terminalLanguage } from './output/terminal_language.ts';
import { addSendCommands } from './send.ts';
import { addServiceCommands } from './service/service.ts';
import { addSettingsCommands } from './settings.ts';
import { addTakeCommands } from './takes/take.ts';
import { addTalkCommand } from './talk.ts';
import { addVideoCommand } from './video.ts';

/** Builds the whole command line for commander: commands, options, help. */
export function createProgram(
  context: CommandContext,
  {
    version,
    engineOptions,
    engineFiles,
  }: {
    version: string;
    engineOptions: PortraitEngineOptions;
    engineFiles?: MakersOptions | undefined;
  },
): Command {
  const { terminal } = context;
  const language = terminalLanguage(terminal.environment);
  const program = withExamples(
    new Command('likeness').description(
      'Likeness Studio without a window: portraits to 3D heads, speech to face animation',
    ),
    'head photo.jpg --sex male -o head.glb',
    'batch photos --sex female',
    'talk voice.wav --out takes --format glb,livelink',
    'library search --help',
  )
    .version(version)
    // These options apply anywhere on the line; commander parses them before a command's own.
    .option(
      '--json',
      'print results as JSON: one document, or one line for each item; times in ISO 8601',
      false,
    )
    .option('-q, --quiet', 'print no progress and no success messages', false)
    .addHelpText('after', exitCodeHelp)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(frameIn(language, text)),
      writeErr: (text) => terminal.error(printableText(frameIn(language, text))),
    });
  addHeadCommand(program, context, engineOptions);
  addConvertCommand(program, context);
  addBatchCommand(program, context);
  addLibraryCommands(program, context);
  addTakeCommands(program, context);
  addVideoCommand(program, context);
  addImageCommands(program, context);
  addModelCommands(program, context);
  addTalkCommand(program, context);
  addSendCommands(program, context);
  addConnectionsCommands(program, context);
  addJournalCommands(program, context);
  addSettingsCommands(program, context);
  addServiceCommands(program, context, { version, engineFiles });
  return program;
}

/** `likeness completion <shell>`: comes last, because it lists the commands defined by then. */
export function addCompletionCommand(program: Command): void {
  tab(program, { completionCommandName: 'completion' });
  const completion = program.commands.find((command) => command.name() === 'completion');
  if (completion)
    withExamples(
      completion.description('print a completion script for a shell'),
      'completion bash > ~/.local/share/bash-completion/completions/likeness',
      'completion zsh > ~/.zfunc/_likeness',
      'completion fish > ~/.config/fish/completions/likeness.fish',
    );
}
