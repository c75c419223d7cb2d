/** Logs uncaught errors without exiting, because a batch, a recording or an upload may be running. */
export function surviveFaults(report: (where: string, error: unknown) => void): void {
  process.on('uncaughtException', (error) => report('main', error));
  process.on('unhandledRejection', (error) => report('a promise nobody awaited', error));
}
