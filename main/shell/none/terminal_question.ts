import { createInterface } from 'node:readline';

/**
 * Milliseconds in which what was typed before the question came is thrown away, and after which no answer is
 * a no.
 */
const leftOver = 300;
const longestWait = 120_000;

/**
 * Asks whoever sits at the terminal that this process was started in: only `y` or `yes`, typed after the
 * question, is a yes.
 *
 * @returns Null where standard input or output is no terminal.
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
    // Or the process would wait for a person who has nothing to say.
    stdin.pause();
  }
}
