/** The page's form refuses what the contract refuses, field by field, and nothing else. */
import { describe, expect, it } from 'vitest';
import { newProfile, ProfileDraft } from '#contract';
import { profileFaults } from '../../preload/contract/profile_faults.ts';
import { profileNumbers, profileTexts } from '../../preload/contract/profile_limits.ts';

/** A new connection with one field set. */
function draftWith(path: string, value: unknown): ProfileDraft {
  const draft = structuredClone(newProfile) as unknown as Record<string, unknown>;
  const fields = path.split('.');
  const last = fields.pop()!;
  let holder = draft;
  for (const field of fields) holder = holder[field] as Record<string, unknown>;
  holder[last] = value;
  return draft as unknown as ProfileDraft;
}

const refusedBySchema = (draft: ProfileDraft): string[] => [
  ...new Set(
    ProfileDraft.safeParse(draft).error?.issues.map(({ path }) =>
      path.join('.').replace(/(channels)\.\d+$/, '$1'),
    ),
  ),
];

const texts = [
  '',
  ' ',
  '.',
  '..',
  'a',
  ' a ',
  'svc',
  'a b',
  'USD',
  'usd',
  'USDX',
  'ü',
  'a\n',
  'ftp://a.example',
];
const addresses = [
  'https://a.example',
  'HTTP://A',
  ' https://a.example/v1 ',
  'https://u:p@a.example',
  'https://',
];

describe.each(Object.entries(profileTexts))('%s', (path, { most }) => {
  it.each([
    ...[...texts, ...addresses].map((text) => [text, text]),
    ['the longest', 'a'.repeat(most)],
    ['one more', 'a'.repeat(most + 1)],
    ['the longest address', `https://${'a'.repeat(most - Math.min(most, 8))}`],
    ['the longest between blanks', ` ${'a'.repeat(most)} `],
  ] as [string, string][])('%s', (_, text) => {
    const draft = draftWith(path, text);
    expect(profileFaults(draft)).toEqual(refusedBySchema(draft));
  });
});

describe.each(Object.entries(profileNumbers))('%s', (path, { least, most }) => {
  it.each([
    least,
    most,
    least - 0.01,
    least + 0.01,
    most + 0.01,
    1,
    1.5,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('%d', (value) => {
    const draft = draftWith(path, value);
    expect(profileFaults(draft)).toEqual(refusedBySchema(draft));
  });
});

it('no cap is a cap of null', () => {
  expect(profileFaults(draftWith('monthlyCap', null))).toEqual([]);
});

it.each([
  [[], []],
  [['jawOpen'], []],
  [['a'.repeat(81)], ['stream.mapping.channels']],
  [Array(512).fill('a'), []],
  [Array(513).fill('a'), ['stream.mapping.channels']],
])('channels %#', (channels, faults) => {
  const draft = draftWith('stream.mapping.channels', channels);
  expect(profileFaults(draft)).toEqual(faults);
  expect(refusedBySchema(draft)).toEqual(faults);
});

it('every text and number of a connection has its limit here', () => {
  const paths = (value: unknown, path: string): string[] =>
    Array.isArray(value) || value === null || typeof value !== 'object'
      ? [path]
      : Object.entries(value).flatMap(([name, field]) => paths(field, path ? `${path}.${name}` : name));
  const limited = [...Object.keys(profileTexts), ...Object.keys(profileNumbers)];
  // Choices and switches can't be wrong in a form; channels are checked above.
  const others = [
    'doubledSlash',
    'stream.schema',
    'stream.mapping.framing',
    'stream.mapping.timeCodeUnit',
    'stream.mapping.channels',
  ];
  expect(paths(newProfile, '').sort()).toEqual([...limited, ...others].sort());
});
