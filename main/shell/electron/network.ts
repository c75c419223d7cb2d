import { app, type Session } from 'electron';
import { originOf, pageOrigin } from './page_scheme.ts';

/**
 * Called before the app is ready: blocks all requests and permissions of every session until it is
 * configured. No server gets a client certificate of the user: by default Electron would send the first
 * match.
 */
export function closeEverySession(): void {
  app.on('session-created', (session) => {
    session.webRequest.onBeforeRequest((_details, answer) => answer({ cancel: true }));
    session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
    session.setPermissionCheckHandler(() => false);
    session.setDevicePermissionHandler(() => false);
  });
  app.on('select-client-certificate', (event, _contents, _url, _certificates, answer) => {
    event.preventDefault();
    answer();
  });
}

/**
 * The window's session loads only our own pages. The pages' CSP says the same; this also covers requests
 * outside a CSP (prefetching, the spell checker's dictionaries, a page that came without headers). Main calls
 * servers through undici, which does not pass here.
 */
export function allowOwnPagesOnly(session: Session, { developerTools }: { developerTools: boolean }): void {
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const ours =
      originOf(url) === pageOrigin || url.startsWith(`blob:${pageOrigin}/`) || url.startsWith('data:');
    const tools = developerTools && url.startsWith('devtools://');
    answer({ cancel: !ours && !tools });
  });
}

/**
 * The updater's session loads only from the folder that the build names, by https, and accepts only responses
 * of the announced length. So redirects fail, and no response is too long.
 *
 * @param sizeOf - Bytes of an installer by its name; undefined for any other file in the folder.
 */
export function allowUpdatesOnly(
  session: Session,
  base: URL,
  sizeOf: (name: string) => number | undefined,
): void {
  session.webRequest.onBeforeRequest(({ url, method }, answer) => {
    answer({ cancel: method !== 'GET' || !url.startsWith(base.href) || base.protocol !== 'https:' });
  });
  session.webRequest.onHeadersReceived(({ url, statusCode, responseHeaders }, answer) => {
    const size = sizeOf(decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''));
    const header = (wanted: string): string | undefined =>
      Object.entries(responseHeaders ?? {})
        .find(([name]) => name.toLowerCase() === wanted)?.[1]
        ?.at(-1);
    // The length of a compressed transfer is not the file's length.
    const asAnnounced =
      Number(header('content-length')) === size && (header('content-encoding') ?? 'identity') === 'identity';
    answer({ cancel: size !== undefined && statusCode === 200 && !asAnnounced });
  });
}
