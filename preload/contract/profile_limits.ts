/**
 * Limits of a connection's fields, without zod: used by the schema in `profile.ts` and by the page's form in
 * `profile_faults.ts`.
 */

export interface TextLimit {
  /** Characters. */
  least?: number;
  /** Error text if it has fewer. */
  asking?: string;
  most: number;
  /** The text's pattern, and the error text if it doesn't match. */
  patterns?: readonly { pattern: RegExp; saying: string }[];
  /** Surrounding blanks do not count. */
  isTrimmed?: boolean;
}
export interface NumberLimit {
  least: number;
  most: number;
  isWhole?: boolean;
  /** `least` itself is too little. */
  isAboveLeast?: boolean;
}

const serverUrl: TextLimit = {
  most: 2048,
  isTrimmed: true,
  patterns: [
    {
      pattern: /^$|^https?:\/\/[^\s@]+$/i,
      saying: 'an http:// or https:// address, without user name or password',
    },
  ],
};
const price: NumberLimit = { least: 0, most: 1e6 };
const streamWord: TextLimit = { least: 1, most: 40 };
/** The path of a field within a message, or a message's name. */
const protoPath: TextLimit = { most: 200 };
const certificate: TextLimit = { most: 1_048_576 };

/** By dotted path of the field. */
export const profileTexts = {
  name: { least: 1, asking: 'a name', most: 80, isTrimmed: true },
  groupAUrl: serverUrl,
  groupBUrl: serverUrl,
  pathWord: {
    least: 1,
    most: 40,
    isTrimmed: true,
    patterns: [
      { pattern: /^[A-Za-z0-9._~-]+$/, saying: 'letters, digits and . _ ~ - only' },
      { pattern: /[^.]/, saying: 'not only dots' },
    ],
  },
  'stream.proto': { most: 262_144 },
  'stream.mapping.message': protoPath,
  'stream.mapping.timeCode': protoPath,
  'stream.mapping.weights': protoPath,
  'stream.mapping.names': protoPath,
  'stream.mapping.frames': protoPath,
  'stream.words.first': streamWord,
  'stream.words.middle': streamWord,
  'stream.words.last': streamWord,
  'prices.currency': {
    most: 3,
    patterns: [{ pattern: /^[A-Z]{3}$/, saying: 'three capital letters, such as USD' }],
  },
  customCa: certificate,
  clientCertificate: certificate,
  proxyUrl: serverUrl,
  proxyUser: { most: 200 },
} as const satisfies Record<string, TextLimit>;

/** By dotted path of the field. */
export const profileNumbers = {
  'stream.mapping.frameRate': { least: 0, most: 1000, isAboveLeast: true },
  'prices.perSecond': price,
  'prices.perFrame': price,
  'prices.perModel': price,
  monthlyCap: { least: 0, most: 1e9 },
  concurrency: { least: 1, most: 32, isWhole: true },
  requestsPerMinute: { least: 0, most: 100_000, isWhole: true },
  'polling.least': { least: 0.05, most: 600 },
  'polling.most': { least: 0.1, most: 3600 },
} as const satisfies Record<string, NumberLimit>;

/** Channel names by position, and the characters of one. */
export const maxChannels = 512;
export const channelName = { most: 80 } as const satisfies TextLimit;
