import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import S3rver from '@20minutes/s3rver';

/** A server of S3 on loopback, which can be slow and vanish. */
export interface TestS3 {
  /** Address for `openStore`. */
  address: string;
  /** Milliseconds before each answer begins. */
  delay: number;
  /** Requests so far, and bytes of all connections both ways. */
  traffic(): { calls: number; bytes: number };
  /** Closes the port, with all connections, and opens the same again. */
  vanish(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const bucket = 'heads';
// Amazon's client reads its key from the environment.
process.env.AWS_ACCESS_KEY_ID ??= 'S3RVER';
process.env.AWS_SECRET_ACCESS_KEY ??= 'S3RVER';

/**
 * s3rver with what it lacks of the protocol and real servers have: `If-None-Match: *` of a PUT.
 *
 * @param directory where it keeps its buckets
 */
export async function startS3(directory: string): Promise<TestS3> {
  const s3rver = new S3rver({
    directory,
    silent: true,
    // It signs listings in another way than Amazon's client.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: bucket }],
  });
  await s3rver.configureBuckets();
  const answer = s3rver.callback();
  let calls = 0;
  const server = createServer(async (request, response) => {
    calls += 1;
    await new Promise((resolve) => setTimeout(resolve, s3.delay));
    const key = decodeURIComponent((request.url ?? '').split('?', 1)[0]!.slice(`/${bucket}/`.length));
    if (request.method === 'PUT' && request.headers['if-none-match'] === '*') {
      if (await s3rver.store.existsObject(bucket, key)) {
        request.resume();
        response.writeHead(412, { 'content-type': 'application/xml' });
        response.end('<?xml version="1.0"?><Error><Code>PreconditionFailed</Code></Error>');
        return;
      }
    }
    answer(request, response);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const vanish = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const s3: TestS3 = {
    address: `s3://${bucket}/likeness?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    delay: 0,
    traffic: () => ({
      calls,
      bytes: [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0),
    }),
    vanish,
    comeBack: () => listen(port),
    close: async () => {
      if (server.listening) await vanish();
    },
  };
  return s3;
}
