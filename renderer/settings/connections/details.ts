import { queryOptions } from '@tanstack/react-query';
import type { Profile } from '#contract';
import { studio } from '../../base/studio.ts';

/** All that a person set on a connection, as it was last saved: lists leave certificates and schemas out. */
export const detailsOf = (id: string, profile: Pick<Profile, 'changedAt'> | undefined) =>
  queryOptions({
    queryKey: ['connection', id, profile?.changedAt],
    queryFn: () => studio.connections.details({ id }),
    enabled: profile !== undefined,
  });
