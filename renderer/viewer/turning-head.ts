import { useEffect, useState } from 'react';
import { assetUrl } from '../base/asset-url.ts';

/** Addresses of the strips of the heads that turned last; none: it could not be drawn. */
const strips = new Map<string, string>();
const maxStrips = 24;

function keep(id: string, strip: string): void {
  strips.set(id, strip);
  const [oldest] = strips.keys();
  if (strips.size <= maxStrips || oldest === undefined) return;
  URL.revokeObjectURL(strips.get(oldest) ?? '');
  strips.delete(oldest);
}

/**
 * The pictures of a head that turns, side by side, as soon as they are drawn; undefined until then.
 *
 * @param isWanted - The pointer or the cursor rests on the head.
 */
export function useTurningHead(id: string, isWanted: boolean): string | undefined {
  const [strip, setStrip] = useState<{ id: string; url: string }>();
  useEffect(() => {
    if (!isWanted) {
      setStrip(undefined);
      return;
    }
    const stop = new AbortController();
    // A head that the pointer only passes is not worth loading.
    const due = setTimeout(async () => {
      if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
      try {
        if (!strips.has(id)) {
          // three.js stays out of the first chunk.
          const { photographTurn } = await import('./thumbnail.ts');
          keep(id, await photographTurn(assetUrl(id, 'model'), stop.signal));
        }
        const url = strips.get(id);
        if (url && !stop.signal.aborted) setStrip({ id, url });
      } catch {
        if (!stop.signal.aborted) keep(id, ''); // its picture stays; opening the head tells why
      }
    }, 300);
    return () => {
      clearTimeout(due);
      stop.abort();
    };
  }, [id, isWanted]);
  return strip?.id === id ? strip.url : undefined;
}
