/** Loaded before a worker: its clock jumps two days to and fro, again and again. */
const { now } = Date;
const day = 24 * 3600 * 1000;
const begin = performance.now();
Date.now = () => now() + (Math.floor((performance.now() - begin) / 300) % 2 === 0 ? day : -day);
