import type { Message } from '@likeness/messages';
import { type Command, Option } from 'commander';
import { type Scorecard, scoreFormats } from '#contract';
import { plainScore, scoreFile } from '../../takes/scorecard/score_file.ts';
import type { CommandContext } from '../command_context.ts';
import { withExamples } from '../output/examples.ts';
import { mixed } from '../output/mixed_text.ts';
import { outcomesOf } from '../output/outcomes.ts';

interface ScoreFlags {
  head?: string;
  format?: (typeof scoreFormats)[number];
}

/** `likeness take score`: prints a take's scorecard. */
export function addTakeScoreCommand(take: Command, context: CommandContext): void {
  const { withStudio, result } = context;
  withExamples(
    take
      .command('score <ids...>')
      .description('rate takes in figures: lip closures, peaks, jaw against sound, jitter, frames'),
    'take score <id>',
    'take score <id> --head <head> --json',
    'take score <id> --format csv > score.csv',
  )
    .option('--head <id>', 'head in the library to measure lip closures on; default: the take’s own head')
    .addOption(new Option('--format <format>', 'print as json or csv').choices(scoreFormats))
    .action((ids: string[], { head, format }: ScoreFlags) =>
      withStudio(async ({ handlers: { takes } }) => {
        const outcomes = outcomesOf(context, 'id');
        for (const id of ids) {
          await outcomes.of(id, async () => {
            const modelId = head ?? ((await takes.take({ id })).model || null);
            const card = await takes.score({ id, modelId });
            result(plainScore(card), format ? scoreFile(card, format).text.trimEnd() : scoreLines(card));
          });
        }
        outcomes.end();
      }),
    );
}

const scoreLines = ({ name, figures, channels }: Scorecard): Message[] => [
  name,
  ...figures.flatMap((figure) => [mixed`  ${figure.name}: ${figure.text}`, mixed`    ${figure.meaning}`]),
  '',
  ...channels
    .filter(({ least, most }) => most > least)
    .map(({ name: channel, least, most }) => `  ${channel}  ${least.toFixed(2)} – ${most.toFixed(2)}`),
];
