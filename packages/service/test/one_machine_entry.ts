/** A service that is one for itself, with the quick heads of the tests, in a process that may be killed: folder, port. */
import { startTestService } from './service_harness.ts';

const [folder = '', port = '0'] = process.argv.slice(2);
const service = await startTestService({
  folder,
  address: { port: Number(port) },
  // Killed at any moment, again and again: that is no photo's fault here.
  limits: { attempts: 50 },
  more: { webhooks: { allowed: ['127.0.0.1'], keyFile: null, backoff: { first: 50, longest: 500 } } },
});
service.heads.takes = 60;
process.send?.(service.port);
