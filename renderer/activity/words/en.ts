export const en = { title: 'Activity' } as const;
