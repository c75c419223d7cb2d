import type { Session } from 'electron';
import { originOf, pageOrigin } from './page_scheme.ts';

/**
 * The window's session reaches our own pages and nothing beyond them. The pages' CSP says the same; this holds
 * where a CSP does not reach (prefetching, the spell checker's dictionaries, a page that came without headers).
 * Calls to servers are made by main through undici and don't pass here.
 */
export function allowOwnPagesOnly(session: Session, { developerTools }: { developerTools: boolean }): void {
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const ours =
      originOf(url) === pageOrigin || url.startsWith(`blob:${pageOrigin}/`) || url.startsWith('data:');
    const tools = developerTools && url.startsWith('devtools://');
    answer({ cancel: !ours && !tools });
  });
}
