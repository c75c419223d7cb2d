import type { RequiredKey } from './listener_refusals.ts';

export interface ServiceEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path after the host; `{name}` stands for one segment. */
  readonly path: string;
  readonly auth: RequiredKey;
}

/**
 * Lists the service's endpoints: `server.ts` answers them, `openapi.ts` describes them.
 *
 * @param pathWord The neutral word in the paths, such as `svc`.
 */
export function endpointsOf(pathWord: string) {
  const models = `/open-api/${pathWord}/sdk/model`;
  return {
    audioToFace: { method: 'POST', path: '/v1/audio-to-face/mesh', auth: 'A' },
    submitImage: { method: 'POST', path: `/v1/${pathWord}-3d/sq`, auth: 'A' },
    generateModel: { method: 'POST', path: `${models}/generate`, auth: 'B' },
    getModel: { method: 'GET', path: `${models}/get/{modelId}`, auth: 'B' },
    deleteModel: { method: 'DELETE', path: `${models}/get/{modelId}`, auth: 'B' },
    modelEvents: { method: 'GET', path: '/v1/models/events', auth: 'either' },
    checkPhoto: { method: 'POST', path: '/v1/photos/check', auth: 'either' },
    outlinePhoto: { method: 'POST', path: '/v1/photos/outline', auth: 'either' },
    cropPhoto: { method: 'POST', path: '/v1/photos/crop', auth: 'either' },
    hearRecording: { method: 'POST', path: '/v1/speech/recordings', auth: 'either' },
    forgetRecording: { method: 'DELETE', path: '/v1/speech/recordings/{recording}', auth: 'either' },
    alignRecording: { method: 'POST', path: '/v1/speech/alignments', auth: 'either' },
    faceOfRecording: { method: 'POST', path: '/v1/speech/faces', auth: 'either' },
    // The link is a secret: its receiver may pass it on to a program that has no key.
    downloadFile: { method: 'GET', path: '/files/{file}', auth: 'none' },
    health: { method: 'GET', path: '/health', auth: 'either' },
    describe: { method: 'GET', path: '/openapi.json', auth: 'none' },
  } as const satisfies Record<string, ServiceEndpoint>;
}

export type EndpointName = keyof ReturnType<typeof endpointsOf>;
