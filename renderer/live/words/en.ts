export const en = { title: 'Live' } as const;
