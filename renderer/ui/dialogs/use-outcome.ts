import { useDebouncedValue } from '@mantine/hooks';
import { hashKey, useQuery } from '@tanstack/react-query';

/** Milliseconds for which an order stays as it is before its outcome is asked for. */
const pause = 300;

/**
 * What an order would come to. While it is changed and asked for anew there is none: the outcome of an earlier order
 * says nothing of this one.
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
