import { inEnglish } from '@likeness/messages';
import { csvLine } from '@likeness/node-kit/csv.ts';
import { safeName } from '@likeness/node-kit/storage/safe_name.ts';
import type { CallOutput, Scorecard, scoreFormats } from '#contract';

/** Writes a scorecard for other programs: in English, with numeric figures. */
export function scoreFile(
  card: Scorecard,
  format: (typeof scoreFormats)[number],
): CallOutput<'takes', 'exportScore'> {
  const stem = safeName(card.name, { maxBytes: 100, fallback: 'take' }).replaceAll('.', '_');
  return format === 'json'
    ? { fileName: `${stem}.score.json`, mediaType: 'application/json', text: scoreJson(card) }
    : { fileName: `${stem}.score.csv`, mediaType: 'text/csv', text: scoreCsv(card) };
}

/** With all sentences as text. */
export const plainScore = ({ figures, ...card }: Scorecard) => ({
  ...card,
  figures: figures.map(({ key, name, value, unit, text, meaning }) => ({
    key,
    name: inEnglish(name),
    value,
    unit,
    text: inEnglish(text),
    meaning: inEnglish(meaning),
  })),
});

const scoreJson = (card: Scorecard): string =>
  `${JSON.stringify({ format: 'likeness-score', version: 1, ...plainScore(card) }, null, 2)}\n`;

/** One line per figure, then one per channel. */
function scoreCsv(card: Scorecard): string {
  const { figures, channels } = plainScore(card);
  return [
    csvLine(['figure', 'value', 'unit', 'text', 'meaning']),
    ...figures.map(({ key, value, unit, text, meaning }) => csvLine([key, value, unit, text, meaning])),
    csvLine([]),
    csvLine(['channel', 'least', 'most']),
    ...channels.map(({ name, least, most }) => csvLine([name, least, most])),
  ].join('');
}
