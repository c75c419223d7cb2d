/**
 * glibc stops returning large blocks to the system once it has seen them freed. With a fixed threshold it
 * returns them, and two workers need a fifth less memory. Other allocators ignore these variables.
 */
export const engineEnvironment = { MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_ARENA_MAX: '2' };

/**
 * Audio and faces are arrays outside V8's heap, freed by collections of the young generation. On a busy
 * machine V8 lets that generation grow and collects rarely, so tens of megabytes of old audio were kept.
 */
export const engineFlags = ['--max-semi-space-size=2'];
