/** The engine's log goes to its parent. It never contains a key, a photo or a body. */
export type Log = (level: 'info' | 'warning' | 'error', message: string, error?: unknown) => void;
