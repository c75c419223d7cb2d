import { createInterface } from 'node:readline';

/** Milliseconds during which earlier input is discarded, and after which no answer counts as no. */
const leftOver = 300;
const longestWait = 120_000;

/**
 * Asks in the terminal that started this process: only `y` or `yes`, typed after the question, counts as yes.
 *
 * @returns Null if standard input or output is not a terminal.
 */
export async function askInTerminal(text: string): Promise<boolean | null> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return null;
  const lines = createInterface({ input: stdin, output: stdout, terminal: false });
  try {
    await new Promise((resolve) => setTimeout(resolve, leftOver));
    return await new Promise((resolve) => {
      const late = setTimeout(() => {
        stdout.write('\n');
        resolve(false);
      }, longestWait);
      const answer = (confirmed: boolean): void => {
        clearTimeout(late);
        resolve(confirmed);
      };
      lines.once('line', (line) => answer(/^\s*y(es)?\s*$/i.test(line)));
      lines.once('close', () => answer(false));
      stdout.write(text);
    });
  } finally {
    lines.close();
    // Otherwise the process would wait for an answer that can't come.
    stdin.pause();
  }
}
