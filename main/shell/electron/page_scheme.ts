import { protocol } from 'electron';
import type { Pages } from '../pages.ts';

const scheme = 'likeness';
/** The origin of our own page. Only it may be loaded, send messages and use the microphone. */
export const pageOrigin = `${scheme}://app`;
/** The window's start page. */
export const pageAddress = `${pageOrigin}/`;

/**
 * Scheme and host of an address as Chromium writes an origin, or null if it has none. Parsed by hand, because
 * Node's `URL` gives `"null"` as the origin of every non-web scheme.
 */
export function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol: named, host } = new URL(address);
  return host === '' ? null : `${named}//${host}`;
}

/** Gives `likeness:` the same rights as https in Chromium. Electron refuses this once the app is ready. */
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
