/**
 * Error texts by field, in the person's language.
 */
import type { TFunction } from 'i18next';
import type { ProfileDraft } from '#contract';
import { profileFaults } from '#contract/profile_faults.ts';

/** Message by dotted path of the field. */
export type Problems = Readonly<Record<string, string>>;

const wording = {
  name: 'name',
  groupAUrl: 'url',
  groupBUrl: 'url',
  proxyUrl: 'url',
  pathWord: 'pathWord',
  'prices.currency': 'currency',
  'prices.perSecond': 'amount',
  'prices.perFrame': 'amount',
  'prices.perModel': 'amount',
  monthlyCap: 'amount',
  'stream.words.first': 'word',
  'stream.words.middle': 'word',
  'stream.words.last': 'word',
  'stream.mapping.frameRate': 'frameRate',
  'stream.mapping.channels': 'channels',
  concurrency: 'concurrency',
  requestsPerMinute: 'requestsPerMinute',
  'polling.least': 'polling',
  'polling.most': 'polling',
} as const;

/**
 * Returns the text for an invalid field. Without one, it returns the given fallback, for example from the
 * server's own check.
 */
export function problemAt(t: TFunction<['settings', 'app']>, field: string, fallback: string): string {
  // `stream.mapping.channels.12` is a fault of the channels field.
  const known = Object.keys(wording).find((path) => field === path || field.startsWith(`${path}.`));
  return known ? t(`problems.${wording[known as keyof typeof wording]}`) : fallback || t('problems.long');
}

/** Everything that the contract would refuse, before it is sent. */
export function problemsOf(t: TFunction<['settings', 'app']>, draft: ProfileDraft): Problems {
  const found: Record<string, string> = {};
  for (const field of profileFaults(draft)) found[field] = problemAt(t, field, '');
  if (draft.polling.most < draft.polling.least) found['polling.most'] ??= t('problems.pollingOrder');
  return found;
}
