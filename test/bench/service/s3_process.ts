/** A server of S3 in a process of its own, so that what it does keeps nobody's client waiting: folder. */
import { startS3 } from '../../support/service/s3_server.ts';

const s3 = await startS3(process.argv[2] ?? '');
process.on('message', () => process.send?.(s3.traffic()));
process.on('disconnect', () => process.exit(0));
process.send?.(s3.address);
