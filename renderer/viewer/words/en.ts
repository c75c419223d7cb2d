export const en = { title: 'Viewer' } as const;
