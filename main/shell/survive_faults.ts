/**
 * An error that nobody caught goes to the log and ends nothing: somebody's batch, take or upload is under
 * way.
 */
export function surviveFaults(report: (where: string, error: unknown) => void): void {
  process.on('uncaughtException', (error) => report('main', error));
  process.on('unhandledRejection', (error) => report('a promise nobody awaited', error));
}
