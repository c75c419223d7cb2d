/** Default settings of a server (`Endpoint`), without addresses and secrets. */
export const newEndpoint = {
  groupAUrl: '',
  groupBUrl: '',
  pathWord: 'svc',
  doubledSlash: false,
  stream: {
    schema: 'likeness' as const,
    proto: '',
    mapping: {
      message: '',
      framing: 'length-delimited' as const,
      timeCode: '',
      timeCodeUnit: 'seconds' as const,
      weights: '',
      names: '',
      channels: [] as string[],
      frames: '',
      frameRate: 60,
    },
    words: { first: 'start', middle: 'continue', last: 'end' },
  },
  customCa: '',
  clientCertificate: '',
  proxyUrl: '',
  proxyUser: '',
  concurrency: 2,
  requestsPerMinute: 0,
};
