/**
 * Node flags of the main process. By default V8 lets short-lived objects fill up to 128 MB before it collects
 * them; a queue of thousands creates many, and is no faster for it.
 */
export const mainFlags = ['--max-semi-space-size=8'];
