export const en = {
  emptyTitle: 'No takes yet',
  emptyText:
    'A take is a recording of voice and face together. What you record in Live is kept here, to play on any head and to export.',
  live: 'Go to Live',
} as const;
