import { useProfiles } from '../base/studio-queries.ts';
import { useLiveSettings } from './live-settings.ts';

/** The connection that speaks: what was chosen, or the default one. */
export function useLiveProfileId(): string {
  const { profileId } = useLiveSettings();
  const profiles = useProfiles().data;
  return (
    profiles?.find(({ id }) => id === profileId)?.id ??
    profiles?.find(({ isDefault }) => isDefault)?.id ??
    'built-in'
  );
}
