import type { UpstreamClient } from './client.ts';

/** A client that callers may keep. Its owner closes the connections behind it. */
export type KeptClient = Omit<UpstreamClient, 'close'>;

/**
 * Looks up the current client at each call, because the server may have moved since the last call. The
 * built-in engine has another port and other keys each time it starts.
 *
 * @param current - Returns the client for one call. @throws Failure if there is none; the signal's reason
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
    deleteModel: async (modelId, options = {}) =>
      (await current(options.signal)).deleteModel(modelId, options),
    async *modelEvents(options) {
      yield* (await current(options.signal)).modelEvents(options);
    },
    download: async (link, target, options = {}) =>
      (await current(options.signal)).download(link, target, options),
    probe: async (options = {}) => (await current(options.signal)).probe(options),
    extensions: async (options = {}) => (await current(options.signal)).extensions(options),
  };
}
