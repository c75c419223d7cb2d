/**
 * Formats numbers as decimals with integer arithmetic: a minute of face has two hundred thousand, and
 * `toFixed` and `String` take a second for ten minutes.
 */

const three = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));
const five = (number: number): string => {
  const thousands = Math.floor(number / 1000);
  return three[thousands]!.slice(1) + three[number - thousands * 1000]!;
};

/** Ten decimals, as `toFixed(10)` except for −0. @param value absolute value below 1e5 */
export function tenDecimals(value: number): string {
  if (value === 0) return '0.0000000000';
  const size = Math.abs(value);
  const whole = Math.floor(size);
  const scaled = (size - whole) * 1e5;
  const high = Math.floor(scaled);
  const low = Math.round((scaled - high) * 1e5);
  // Values of only nines that round up are rare enough for the slow method.
  if (low === 100_000) return (value + 0).toFixed(10);
  const sign = value < 0 && (whole > 0 || high > 0 || low > 0) ? '-' : '';
  return `${sign}${whole}.${five(high)}${five(low)}`;
}

/** Six decimals, none for an integer, never `1e-7`, which spreadsheets of some languages read as text. */
export function sixDecimals(value: number): string {
  const millionths = Math.round(Math.abs(value) * 1e6);
  if (millionths === 0) return '0';
  const whole = Math.floor(millionths / 1e6);
  const part = millionths - whole * 1e6;
  const sign = value < 0 ? '-' : '';
  if (part === 0) return `${sign}${whole}`;
  const high = Math.floor(part / 1000);
  return `${sign}${whole}.${three[high]!}${three[part - high * 1000]!}`;
}
