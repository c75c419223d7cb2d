import type { ProfileDraft } from './profile.ts';

/** What a new connection starts from; the same defaults fill fields that an imported file leaves out. */
export const newProfile: ProfileDraft = {
  name: 'New connection',
  groupAUrl: '',
  groupBUrl: '',
  pathWord: 'svc',
  doubledSlash: false,
  stream: {
    schema: 'likeness',
    proto: '',
    mapping: {
      message: '',
      framing: 'length-delimited',
      timeCode: '',
      timeCodeUnit: 'seconds',
      weights: '',
      names: '',
      channels: [],
      frames: '',
      frameRate: 60,
    },
    words: { first: 'start', middle: 'continue', last: 'end' },
  },
  prices: { currency: 'USD', perSecond: 0, perFrame: 0, perModel: 0 },
  monthlyCap: null,
  customCa: '',
  clientCertificate: '',
  proxyUrl: '',
  proxyUser: '',
  concurrency: 2,
  requestsPerMinute: 0,
  polling: { least: 1, most: 30 },
};
