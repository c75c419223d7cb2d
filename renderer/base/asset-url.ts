import type { AssetKind } from '#contract';
import { assetPath } from '#contract/constants.ts';

declare global {
  interface Window {
    /** Set by the browser shell: see `PageAccess` in preload/bridge.ts. */
    studioPage?: {
      readonly id: string;
      readonly assets: string;
      readonly onConnection?: (listener: (isOpen: boolean) => void) => () => void;
    };
  }
}

/**
 * Address of a file by id, for pictures, sounds, downloads and `fetch` alike. In a browser it holds a
 * capability of this page's session; it works for this page and no longer than the session.
 */
export const assetUrl = (assetId: string, kind: AssetKind): string =>
  `${window.studioPage?.assets ?? ''}${assetPath(assetId, kind)}`;
