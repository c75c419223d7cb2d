/** docs/quality.md, made from docs/quality/figures.json. */
import {
  meetsTarget,
  type QualityFigure,
  type QualityFigures,
  readQualityFigures,
} from '../quality/quality_figures.ts';

const signs = { max: '≤', min: '≥', within: '±' } as const;

export function qualityPage({ areas, figures }: QualityFigures = readQualityFigures()): string {
  const targets = figures.filter(({ target }) => target !== null);
  const dates = figures.map(({ measured }) => measured.date).toSorted();
  const lines = [
    '# Quality figures',
    '',
    'Today’s figures, their targets, and the command that measures each.',
    `${targets.filter(meetsTarget).length} of ${targets.length} targets are met; **missed** marks the others.`,
    `Measured from ${dates[0]} to ${dates.at(-1)}; [figures.json](quality/figures.json) has the date and commit of`,
    'each figure, [history.csv](quality/history.csv) the figures of earlier versions, and [research](../research/README.md)',
    'what we tried. This page is generated: run a command with `--write`, then `npm run docs`.',
  ];
  for (const { id, title, text } of areas)
    lines.push(
      '',
      `## ${title}`,
      '',
      wrapped(text),
      '',
      '| figure | target | today | command |',
      '|---|---|---|---|',
      ...figures.filter(({ area }) => area === id).map(row),
    );
  return `${lines.join('\n')}\n`;
}

function row(figure: QualityFigure): string {
  const { unit, target, today, note, command } = figure;
  const [kind, limits] = target === null ? [] : (Object.entries(target)[0] as [keyof typeof signs, number[]]);
  const cells = [
    figure.figure,
    kind === undefined ? '–' : `${signs[kind]} ${withUnit(limits ?? [], unit)}`,
    [
      withUnit(today, unit),
      ...(meetsTarget(figure) ? [] : [' **missed**']),
      ...(note === undefined ? [] : [` (${note})`]),
    ].join(''),
    `\`${command}\``,
  ];
  return `| ${cells.join(' | ')} |`;
}

const withUnit = (values: readonly number[], unit: string): string =>
  `${values.map(decimal).join('; ')}${unit === '' ? '' : ` ${unit}`}`;

const decimal = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 4 }).replace('-', '−');

/** The text in lines of at most 120 characters. */
const wrapped = (text: string): string => text.replaceAll(/(.{1,120})(?:\s+|$)/g, '$1\n').trimEnd();
