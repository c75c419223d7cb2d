import { useEffect } from 'react';
import { assetUrl } from '../base/asset-url.ts';
import { studio } from '../base/studio.ts';

/** Heads whose picture could not be made: asked once, not at every scroll. */
const hopeless = new Set<string>();

/** Photographs a head that came without a picture. @param onMade - Its picture is there now. */
export function useMissingThumbnail(id: string | null, onMade?: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another head needs another picture
  useEffect(() => {
    if (id === null || hopeless.has(id)) return;
    const stop = new AbortController();
    // A head that is only scrolled past is not worth loading.
    const due = setTimeout(async () => {
      try {
        // three.js stays out of the first chunk.
        const { thumbnailOf } = await import('./thumbnail.ts');
        const webp = await thumbnailOf(assetUrl(id, 'model'), stop.signal);
        await studio.library.setThumbnail({ id, webp });
        onMade?.();
      } catch {
        if (!stop.signal.aborted) hopeless.add(id); // it keeps its stand-in; opening it tells why
      }
    }, 300);
    return () => {
      clearTimeout(due);
      stop.abort();
    };
  }, [id]);
}
