/**
 * A service with the quick makers of the tests, in a process of its own. Its folder is the argument. Its limits are the usual
 * ones, but for the queue: nobody fills 100,000 places in a minute.
 */
import { recordingMaker, startTestService } from '../../../packages/service/test/service_harness.ts';

const [folder = ''] = process.argv.slice(2);
const service = await startTestService({
  folder,
  limits: { waitingModels: 600 },
  makers: { loadRecordingMaker: async () => recordingMaker },
  more: { webhooks: { allowed: ['127.0.0.1'], keyFile: null } },
});
service.heads.takes = 150;
process.send?.(service.port);
