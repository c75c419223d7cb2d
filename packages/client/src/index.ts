/** The public names of the package. */
export type { FinishedCall, PlannedCall } from './call_record.ts';
export { createUpstreamClient, type UpstreamClient, type UpstreamClientOptions } from './client.ts';
export { UpstreamError } from './error.ts';
export { newEndpoint } from './new_endpoint.ts';
export type { AudioToFaceRequest, FaceMessage } from './operations/audio_to_face.ts';
export type { DownloadOptions, DownloadResult } from './operations/download.ts';
export type { GenerateModelRequest } from './operations/generate_model.ts';
export type { ModelAnswer } from './operations/get_model.ts';
export type { Endpoint } from './transport/endpoint.ts';
