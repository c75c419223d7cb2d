/** Finds, and where it may installs, the programs that tests open the studio and its files in. */
import { ensureChromium } from '../chromium.ts';
import { ensureReaders } from '../readers.ts';

const print = (line: string): void => console.log(line);
ensureChromium(print);
ensureReaders(print);
