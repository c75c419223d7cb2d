export const en = { title: 'Portraits' } as const;
