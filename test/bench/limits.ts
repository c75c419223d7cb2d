import { basename } from 'node:path';
import { recordPrintedFigure } from '../../scripts/quality/quality_figures.ts';

/** One figure of a benchmark: printed, and held against its limit. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  limit: number;
  /** `most`: the figure may be as large as the limit; `least`: it must be as large. */
  kind: 'most' | 'least';
}

let broken = 0;

/** Prints a figure beside its limit; a benchmark's process ends with 1 where one did not hold. */
export function report({ name, value, unit, limit, kind }: Figure): void {
  const held = kind === 'most' ? value <= limit : value >= limit;
  if (!held) broken += 1;
  const sign = kind === 'most' ? '≤' : '≥';
  console.log(`${held ? '✓' : '✗'} ${name}: ${value.toPrecision(4)} ${unit} (${sign} ${limit})`);
  recordPrintedFigure(basename(process.argv[1] ?? '', '.bench.ts'), { name, value, unit });
  process.exitCode = broken === 0 ? 0 : 1;
}
