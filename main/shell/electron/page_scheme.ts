import { protocol } from 'electron';
import type { Pages } from '../pages.ts';

const scheme = 'likeness';
/** The origin of our own page. Nothing else is loaded, listened to or given the microphone. */
export const pageOrigin = `${scheme}://app`;
/** Where the window starts. */
export const pageAddress = `${pageOrigin}/`;

/**
 * Scheme and host of an address as Chromium writes an origin, or null where it has none. By hand, since
 * Node's `URL` gives `"null"` as the origin of every scheme that is not of the web.
 */
export function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol: named, host } = new URL(address);
  return host === '' ? null : `${named}//${host}`;
}

/** Makes `likeness:` as good as https to Chromium. Electron refuses this once the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

/** Answers every request for `likeness://app/…` from `pages`, and none for another host of the scheme. */
export function servePages(pages: Pages): void {
  protocol.handle(scheme, async (request) => {
    if (originOf(request.url) !== pageOrigin) return new Response(null, { status: 404 });
    return pages(request);
  });
}
