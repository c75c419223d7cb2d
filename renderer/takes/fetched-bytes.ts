/** Files of the studio's own, in the pieces that they come in, or a part of one. */

/** @throws where there is no such file */
export async function* piecesOf(url: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw refused(response);
  const reader = response.body!.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    // Nothing is kept waiting for who reads no more.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Bytes `from` … `to` − 1 of a file, as far as there are, and how many it has.
 *
 * @throws where there is no such file
 */
export async function bytesBetween(
  url: string,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; total: number }> {
  const response = await fetch(url, { signal, headers: { Range: `bytes=${from}-${to - 1}` } });
  // The file ends before.
  if (response.status === 416) return { bytes: new Uint8Array(0), total: from };
  if (!response.ok) throw refused(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? bytes.length);
  return { bytes: response.status === 206 ? bytes : bytes.subarray(from, to), total };
}

const refused = ({ status, statusText }: Response): Error => new Error(`${status} ${statusText}`);
