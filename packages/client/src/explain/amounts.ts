import { type Message, t } from '@likeness/messages';

export function seconds(milliseconds: number): Message {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const rounded = Math.round(milliseconds / 1000);
  return rounded < 120
    ? t('amount.seconds', { seconds: rounded })
    : t('amount.minutes', { minutes: Math.round(rounded / 60) });
}

/** Formats a number of bytes for a message. */
export function bytes(count: number): Message {
  if (count < 1000) return t('amount.bytes', { bytes: count });
  if (count < 1e6) return `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)} kB`;
  return count < 1e9 ? `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} MB` : `${(count / 1e9).toFixed(1)} GB`;
}
