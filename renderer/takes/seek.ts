/**
 * Goes where a key says: a frame or, with Shift, a second to either side, or to an end.
 * @returns false for other keys
 */
export function seek(
  playback: { step(by: number): void; seek(at: number): void },
  { seconds, frameRate }: { seconds: number; frameRate: number },
  key: string,
  shift: boolean,
): boolean {
  const by = shift ? 1 : 1 / frameRate;
  const moves: Record<string, () => void> = {
    ArrowLeft: () => playback.step(-by),
    ArrowRight: () => playback.step(by),
    Home: () => playback.seek(0),
    End: () => playback.seek(seconds),
  };
  const move = moves[key];
  move?.();
  return move !== undefined;
}
