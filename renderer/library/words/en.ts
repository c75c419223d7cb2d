export const en = {
  emptyTitle: 'No heads yet',
  emptyText:
    'Every head you make from a photo is kept here, with its picture, its face shapes and where it came from.',
  make: 'Make a head from a photo',
  default: 'Default head',
} as const;
