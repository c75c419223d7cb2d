import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { studio } from '../base/studio.ts';

export const drivesKey = (modelId: string | null): readonly unknown[] => ['shape-drives', modelId];

/** Returns the drives of a head's shapes; null: the default head's. */
export function useHeadDrives(modelId: string | null) {
  const client = useQueryClient();
  // Another window's table, too.
  useEffect(
    () =>
      studio.names.onDrivesChanged((changed) => {
        if (changed.modelId === modelId)
          client.invalidateQueries({ queryKey: drivesKey(modelId) }).catch(() => undefined);
      }),
    [client, modelId],
  );
  return useQuery({
    queryKey: drivesKey(modelId),
    queryFn: () => studio.names.drives({ modelId }),
    retry: false,
    gcTime: 60_000,
  });
}
