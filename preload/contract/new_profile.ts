import { newEndpoint } from '@likeness/client/new_endpoint.ts';
import type { ProfileDraft } from './profile.ts';

/** What a new connection starts from; the same defaults fill fields that an imported file leaves out. */
export const newProfile: ProfileDraft = {
  name: 'New connection',
  ...newEndpoint,
  prices: { currency: 'USD', perSecond: 0, perFrame: 0, perModel: 0 },
  monthlyCap: null,
  polling: { least: 1, most: 30 },
};
