import { app, type Session } from 'electron';
import { originOf, pageOrigin } from './page_scheme.ts';

/**
 * Before the app is ready: every session there will be reaches nothing and grants nothing, until it is opened
 * for what it is for. And nobody is shown a certificate of the person's: without a word from us Electron
 * would send the first that fits.
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
 * The window's session reaches our own pages and nothing beyond them. The pages' CSP says the same; this
 * holds where a CSP does not reach (prefetching, the spell checker's dictionaries, a page that came without
 * headers). Calls to servers are made by main through undici and don't pass here.
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
 * The updater's session reaches the one folder that the build names, by https, and takes from it only what
 * has the length that was announced: so a redirect leads nowhere, and no answer is longer than it may be.
 *
 * @param sizeOf - Bytes of an installer by its name; undefined for anything else in the folder.
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
    // What is packed for the way has a length that says nothing.
    const asAnnounced =
      Number(header('content-length')) === size && (header('content-encoding') ?? 'identity') === 'identity';
    answer({ cancel: size !== undefined && statusCode === 200 && !asAnnounced });
  });
}
