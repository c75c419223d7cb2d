import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** A command's progress: one line that is redrawn on a terminal, separate lines in a pipe. */
export interface ProgressLine {
  /** Shows a state that replaces the last one. @param fraction - 0..1; null if the end is unknown */
  show(text: string, fraction: number | null): void;
  /** Prints a permanent line: a result, a warning. */
  keep(text: string): void;
  /** Removes the bar. */
  end(): void;
}

const barWidth = 24;
/** Minimum milliseconds between two redraws; more would only flicker. */
const redrawAfter = 80;

export function createProgressLine(terminal: Terminal, clock: () => number): ProgressLine {
  const { isTerminal = false, columns = 80 } = terminal;
  let shown = '';
  let drawnAt = 0;
  const draw = (text: string): void => {
    terminal.error(`\r\u001b[2K${text}`);
    shown = text;
  };
  return {
    show(text, fraction) {
      if (!isTerminal) return;
      const now = clock();
      if (now - drawnAt < redrawAfter) return;
      drawnAt = now;
      const filled = Math.round((fraction ?? 0) * barWidth);
      const bar = fraction === null ? '' : `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} `;
      draw(`${bar}${printable(text)}`.slice(0, columns - 1));
    },
    keep(text) {
      if (shown) draw('');
      shown = '';
      terminal.out(`${printable(text)}\n`);
    },
    end() {
      if (shown) draw('');
      shown = '';
    },
  };
}
