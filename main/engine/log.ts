/** Where the engine's own words go: to whoever started it. Never a key, a photo or a body in it. */
export type Log = (level: 'info' | 'warning' | 'error', message: string, error?: unknown) => void;
