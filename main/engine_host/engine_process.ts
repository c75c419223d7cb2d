/**
 * glibc stops giving large blocks back once it has seen them freed; with a fixed threshold they go back to
 * the system, and two workers need a fifth less memory. Other allocators don't read these words.
 */
export const engineEnvironment = { MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_ARENA_MAX: '2' };

/**
 * Sound and faces are arrays outside V8's heap that are given back when V8 looks at what is young. It looks
 * once that has filled its space, and on a busy machine lets the space grow: tens of megabytes of sound long
 * spoken were held.
 */
export const engineFlags = ['--max-semi-space-size=2'];
