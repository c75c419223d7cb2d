/** A process that can't start, and says why. */
process.on('message', () => {
  process.send?.({ kind: 'failed', message: 'the weights are damaged' }, () => process.exit(3));
});
