import { expect, it } from 'vitest';
import { sweep } from '../../../test/support/fault_sweep.ts';
import { sized } from '../../../test/support/sizes.ts';
import { serviceJob } from './job_faults.ts';

it('a job is made and billed once, although the disk failed during it', async () => {
  expect((await sweep(serviceJob, 'EIO', sized(61, 1))).problems).toEqual([]);
}, 60_000);
