import type { UpstreamClient } from './client.ts';

/** A client that somebody may keep. Its owner closes what is behind it. */
export type KeptClient = Omit<UpstreamClient, 'close'>;

/**
 * Looks up at each call which client to use now, because the server may have moved since the last call. The built-in
 * engine has another port and other keys each time it starts.
 *
 * @param current - The client for one call. @throws Failure where there is none; the signal's reason
 */
export function currentClient(current: (signal?: AbortSignal) => Promise<UpstreamClient>): KeptClient {
  return {
    async *audioToFace(request, options = {}) {
      yield* (await current(options.signal)).audioToFace(request, options);
    },
    submitImage: async (file, options = {}) => (await current(options.signal)).submitImage(file, options),
    turn: async (options = {}) => (await current(options.signal)).turn(options),
    generateModel: async (request, options = {}) =>
      (await current(options.signal)).generateModel(request, options),
    getModel: async (modelId, options = {}) => (await current(options.signal)).getModel(modelId, options),
    async *modelEvents(options) {
      yield* (await current(options.signal)).modelEvents(options);
    },
    download: async (link, target, options = {}) =>
      (await current(options.signal)).download(link, target, options),
    probe: async (options = {}) => (await current(options.signal)).probe(options),
    extensions: async (options = {}) => (await current(options.signal)).extensions(options),
  };
}
