import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asThePerson } from '@likeness/node-kit/storage/private_files.ts';
import { inheritable } from '../inheritable.ts';

export interface OpenLinkOptions {
  /** Where a file leads the browser on; made (0700) for it and emptied. Absolute. */
  folder: string;
  randomBytes: (count: number) => Uint8Array;
  /** Opens a file with what the person uses for it. Default: as the system does. */
  open?: (file: string) => void;
}

/**
 * Opens a link in the person's browser. The link holds a token, and what stands among a program's arguments
 * can be read by every user of the machine: the browser is given a file of the person's own that leads on to
 * it (Jupyter does the same). Best effort: the link stands in the terminal anyway.
 *
 * @returns removes the file; call it when the link is of no use any more
 */
export function openLink(
  link: string,
  { folder, randomBytes, open = openFile }: OpenLinkOptions,
): () => void {
  const forget = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    forget();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${Buffer.from(randomBytes(8)).toString('hex')}.html`);
    writeFileSync(file, redirect(link), { mode: 0o600, flag: 'wx' });
    open(file);
  } catch {
    // A disk that is full, or no program for pages.
  }
  return forget;
}

/** `link` is ours: an origin, and a token of letters, digits, - and _. */
const redirect = (link: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="referrer" content="no-referrer" />
    <meta http-equiv="refresh" content="0; url=${link}" />
    <title>Likeness Studio</title>
  </head>
  <body>
    <a href="${link}">Likeness Studio</a>
  </body>
</html>
`;

function openFile(file: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', file]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', file]
        : ['xdg-open', file];
  // A browser has no use for our variables, which may hold keys.
  asThePerson(() =>
    spawn(command ?? '', args, { stdio: 'ignore', detached: true, env: inheritable(process.env) }),
  )
    .on('error', () => {})
    .unref();
}
