/** The public names of the package. */
export { addKey, type NewKey, revokeKey, rotateKey, type ShownKey } from './keys/key_administration.ts';
export { readKeys } from './keys/key_file.ts';
export { defaultScopes } from './keys/service_key.ts';
export type { ServiceAddressOptions } from './listen/service_address.ts';
export { type RunningService, type ServiceOptions, startService } from './service.ts';
export { readService, type ServiceReading } from './service_reading.ts';
