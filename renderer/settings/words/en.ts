export const en = {
  sections: {
    general: 'General',
    connections: 'Connections',
    keys: 'Keys',
    engine: 'Built-in engine',
    about: 'About',
  },
} as const;
