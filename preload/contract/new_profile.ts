import { newEndpoint } from '@likeness/client/new_endpoint.ts';
import type { ProfileDraft } from './profile.ts';

/** Defaults of a new connection and of missing fields in an imported file. */
export const newProfile: ProfileDraft = {
  name: 'New connection',
  ...newEndpoint,
  prices: { currency: 'USD', perSecond: 0, perFrame: 0, perModel: 0 },
  monthlyCap: null,
  polling: { least: 1, most: 30 },
};
