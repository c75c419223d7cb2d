import { useQuery } from '@tanstack/react-query';
import { studio } from '../base/studio.ts';

export const drivesKey = (modelId: string | null): readonly unknown[] => ['shape-drives', modelId];

/** What moves a head's shapes; null: the default head's. */
export const useHeadDrives = (modelId: string | null) =>
  useQuery({
    queryKey: drivesKey(modelId),
    queryFn: () => studio.names.drives({ modelId }),
    retry: false,
    gcTime: 60_000,
  });
