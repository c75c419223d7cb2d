/**
 * `HH:MM:SS:FF.mmm`: time of day, frame within the second, thousandths of that frame.
 *
 * @param seconds since midnight
 */
export function timecode(seconds: number, frameRate: number): string {
  // In thousandths of a frame, so that rounding can't produce frame 60 or a thousand thousandths.
  const all = Math.round(seconds * frameRate * 1000);
  const frame = Math.floor(all / 1000);
  const whole = Math.floor(frame / frameRate);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(whole / 3600) % 24)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}:${two(frame % frameRate)}.${String(all % 1000).padStart(3, '0')}`;
}
