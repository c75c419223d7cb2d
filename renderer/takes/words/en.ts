export const en = { title: 'Takes' } as const;
