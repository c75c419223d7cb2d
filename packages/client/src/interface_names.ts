/** Operations of the interface, as the client names them in records and errors. */
export const operations = [
  'audio_to_face',
  'submit_image',
  'generate_model',
  'get_model',
  'delete_model',
  'download',
  'probe',
] as const;
export type Operation = (typeof operations)[number];

/** The secrets that a server can ask for. */
export const secretNames = ['accessToken', 'apiKey', 'clientKey', 'proxyPassword'] as const;
export type SecretName = (typeof secretNames)[number];
