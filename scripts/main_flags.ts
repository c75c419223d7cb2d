/**
 * How Node runs the main process. Left alone V8 lets short-lived objects fill up to 128 MB before it looks at
 * them; a queue of thousands makes many, and is no faster for it.
 */
export const mainFlags = ['--max-semi-space-size=8'];
