import { useEffect, useState } from 'react';
import { assetUrl } from '../base/asset-url.ts';

/** Addresses of the strips of the heads that turned last; empty: it can't be drawn. */
const strips = new Map<string, string>();
const maxStrips = 24;
/** Heads turn where they are drawn fast enough; one that is not is enough to know it. */
let isSlow = false;

function keep(id: string, strip: string): void {
  strips.set(id, strip);
  const [oldest] = strips.keys();
  if (strips.size <= maxStrips || oldest === undefined) return;
  URL.revokeObjectURL(strips.get(oldest) ?? '');
  strips.delete(oldest);
}

async function stripOf(id: string, signal: AbortSignal): Promise<string> {
  const known = strips.get(id);
  if (known !== undefined || isSlow) return known ?? '';
  // three.js stays out of the first chunk.
  const { photographTurn } = await import('./thumbnail.ts');
  const strip = await photographTurn(assetUrl(id, 'model'), signal);
  isSlow = strip === null;
  keep(id, strip ?? '');
  return strip ?? '';
}

/**
 * The pictures of a head that turns, side by side, as soon as they are drawn; undefined until then.
 *
 * @param isWanted - The pointer or the cursor rests on the head.
 */
export function useTurningHead(id: string, isWanted: boolean): string | undefined {
  const [shown, setShown] = useState<{ id: string; strip: string }>();
  useEffect(() => {
    if (!isWanted || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const stop = new AbortController();
    // A head that the pointer only passes is not worth loading.
    const due = setTimeout(() => {
      stripOf(id, stop.signal).then(
        (strip) => stop.signal.aborted || setShown({ id, strip }),
        () => stop.signal.aborted || keep(id, ''), // its picture stays; opening the head tells why
      );
    }, 300);
    return () => {
      clearTimeout(due);
      stop.abort();
    };
  }, [id, isWanted]);
  return isWanted && shown?.id === id && shown.strip !== '' ? shown.strip : undefined;
}
