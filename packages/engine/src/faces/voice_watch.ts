/** Milliseconds after the last part of a voice during which it still counts as speaking. */
const pause = 3000;

/**
 * Reports whether somebody is speaking: from a part of a voice until three seconds pass without one.
 *
 * @param onChanged called with each change
 * @param after calls back after some milliseconds
 */
export function createVoiceWatch(
  onChanged: (isSpeaking: boolean) => void,
  clock: () => number,
  after: (milliseconds: number, callback: () => void) => void,
): { heard(): void } {
  let isSpeaking = false;
  let last = 0;
  const check = (): void => {
    const left = last + pause - clock();
    if (left > 0) {
      after(left, check);
      return;
    }
    isSpeaking = false;
    onChanged(false);
  };
  return {
    heard() {
      last = clock();
      if (isSpeaking) return;
      isSpeaking = true;
      onChanged(true);
      after(pause, check);
    },
  };
}
