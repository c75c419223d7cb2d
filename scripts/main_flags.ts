/**
 * Node flags of the main process. By default V8 lets short-lived objects fill up to 128 MB before it collects
 * them. A queue of thousands creates many, and a larger limit does not make it faster.
 */
export const mainFlags = ['--max-semi-space-size=8'];
