/** Validates a connection without zod, for the page's form. */
import type { ProfileDraft } from './profile.ts';
import {
  channelName,
  maxChannels,
  type NumberLimit,
  profileNumbers,
  profileTexts,
  type TextLimit,
} from './profile_limits.ts';

function fitsText(value: string, { least = 0, most, patterns = [], isTrimmed }: TextLimit): boolean {
  const text = isTrimmed ? value.trim() : value;
  return text.length >= least && text.length <= most && patterns.every(({ pattern }) => pattern.test(text));
}
const fitsNumber = (value: number, { least, most, isWhole, isAboveLeast }: NumberLimit): boolean =>
  Number.isFinite(value) &&
  (isAboveLeast ? value > least : value >= least) &&
  value <= most &&
  (!isWhole || Number.isInteger(value));

const valueAt = (draft: ProfileDraft, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, field) => (value as Record<string, unknown> | null)?.[field], draft);

/** Returns the invalid fields, by dotted path. */
export function profileFaults(draft: ProfileDraft): string[] {
  const { channels } = draft.stream.mapping;
  return [
    ...Object.entries(profileTexts)
      .filter(([path, limit]) => !fitsText(valueAt(draft, path) as string, limit))
      .map(([path]) => path),
    ...Object.entries(profileNumbers)
      // No cap is a cap of null.
      .filter(([path, limit]) => !fitsNumber((valueAt(draft, path) as number | null) ?? limit.least, limit))
      .map(([path]) => path),
    ...(channels.length > maxChannels || !channels.every((one) => fitsText(one, channelName))
      ? ['stream.mapping.channels']
      : []),
  ];
}
