import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asThePerson } from '@likeness/node-kit/storage/private_files.ts';
import { inheritable } from '../inheritable.ts';

export interface OpenLinkOptions {
  /** Folder of the file that redirects the browser; created (0700) and emptied. Absolute. */
  folder: string;
  randomBytes: (count: number) => Uint8Array;
  /** Opens a file with the user's default program. Default: as the system does. */
  open?: (file: string) => void;
}

/**
 * Opens a link in the user's browser. The link contains a token, and every user of the machine can read a
 * program's arguments. So the browser opens a private file that redirects to the link (Jupyter does the
 * same). Best effort: the terminal shows the link anyway.
 *
 * @returns a function that removes the file; call it when the link is invalid
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
    // The disk is full, or no program opens pages.
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
  // A browser has no use for our variables, which may contain keys.
  asThePerson(() =>
    spawn(command ?? '', args, { stdio: 'ignore', detached: true, env: inheritable(process.env) }),
  )
    .on('error', () => {})
    .unref();
}
