/** Whether a process with this id runs on this machine, under any user. */
export function isProcessAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // It exists, but we may not signal it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
