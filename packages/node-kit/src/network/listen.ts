import type { Server } from 'node:net';

/**
 * Opens a server on an address of this machine.
 *
 * @param port 0 for any free port
 * @throws Error the system's, if the port is unavailable (`EADDRINUSE`, `EACCES`)
 */
export function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
