/**
 * Goes where a key says: a frame or, with Shift, a second to either side, or to an end.
 * @returns false for other keys
 */
export function seek(
  playback: { now(): number; seek(at: number): void },
  { seconds, frameRate }: { seconds: number; frameRate: number },
  key: string,
  shift: boolean,
): boolean {
  const by = shift ? 1 : 1 / frameRate;
  const targets: Record<string, () => number> = {
    ArrowLeft: () => playback.now() - by,
    ArrowRight: () => playback.now() + by,
    Home: () => 0,
    End: () => seconds,
  };
  const to = targets[key];
  if (!to) return false;
  playback.seek(to());
  return true;
}
