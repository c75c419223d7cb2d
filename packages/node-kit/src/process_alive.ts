/** Whether a process of this number runs on this machine, whoever's it is. */
export function isProcessAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // We may not signal it, but it exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
