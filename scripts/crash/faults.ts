/**
 * `npm run soak -- faults [name] [stride]`: fails each operation of the disk, in each way, during the works of the
 * studio and the service. Reports the promises that did not hold.
 */

import { serviceJob } from '../../packages/service/test/job_faults.ts';
import { cheapOperations, libraryOperations, takeOperations } from '../../test/main/faults/operations.ts';
import { batchOfThree } from '../../test/main/faults/queue_operations.ts';
import type { Fault } from '../../test/support/disk_faults.ts';
import { sweep } from '../../test/support/fault_sweep.ts';

const faults: readonly Fault[] = ['ENOSPC', 'EIO', 'EACCES', 'SHORT', 'END'];
const [name = '', stride = '1'] = process.argv.slice(2);

const batch = await batchOfThree();
const all = [batch, ...takeOperations, ...libraryOperations, ...cheapOperations, serviceJob];
let broken = 0;
for (const operation of all.filter((one) => one.name.includes(name))) {
  for (const fault of faults) {
    const { tried, refused, problems } = await sweep(operation, fault, Number(stride));
    broken += problems.length;
    console.log(
      `${problems.length === 0 ? '✓' : '✗'} ${operation.name}, ${fault}: ${tried} places, ${refused} refused`,
    );
    for (const problem of problems) console.log(`  ${problem}`);
  }
}
await batch.close();
console.log(`\n${broken} problems`);
process.exit(broken === 0 ? 0 : 1);
