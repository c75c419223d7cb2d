import { useDebouncedValue } from '@mantine/hooks';
import { hashKey, useQuery } from '@tanstack/react-query';

/** Milliseconds without a change before the preview is computed. */
const pause = 300;

/**
 * Preview of an order's result. It is absent while the order changes, since an earlier preview would not
 * match.
 */
export function useOutcome<Order, Outcome>(
  key: string,
  order: Order,
  ask: (order: Order) => Promise<Outcome>,
): { data: Outcome | undefined; error: Error | null } {
  const [settled] = useDebouncedValue(order, pause);
  const { data, error } = useQuery({
    queryKey: [key, settled],
    queryFn: () => ask(settled),
    retry: false,
    gcTime: 60_000,
  });
  return hashKey([order]) === hashKey([settled]) ? { data, error } : { data: undefined, error: null };
}
