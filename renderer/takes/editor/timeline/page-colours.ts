import { useComputedColorScheme } from '@mantine/core';

/** Changes when the page's colours do: whoever draws by hand draws anew. */
export const usePageColours = (): string => useComputedColorScheme('dark');
