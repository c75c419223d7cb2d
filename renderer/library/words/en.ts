export const en = { title: 'Library' } as const;
