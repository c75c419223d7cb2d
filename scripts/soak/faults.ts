/**
 * `npm run soak -- faults [name] [stride] [--system] [--write]`: fails each operation of the disk (each `stride`-th of
 * the two operations with hundreds), in each way, during the works of the studio and the service. Reports the promises
 * that did not hold. `--system` fails system calls on Linux, those of SQLite among them, each `stride`-th of all.
 * `--write` updates the figures in docs/quality.md.
 */

import { serviceJob } from '../../packages/service/test/job_faults.ts';
import { cheapOperations, libraryOperations, takeOperations } from '../../test/main/faults/operations.ts';
import { batchOfThree } from '../../test/main/faults/queue_operations.ts';
import { type Fault, withFault } from '../../test/support/disk_faults.ts';
import { sweep } from '../../test/support/fault_sweep.ts';
import { preloadSystemFaults, withSystemFault } from '../../test/support/system_faults/system_faults.ts';
import { recordFigure } from '../quality/quality_figures.ts';

const faults: readonly Fault[] = ['ENOSPC', 'EIO', 'EACCES', 'BUSY', 'SHORT', 'END'];
const isSystem = process.argv.includes('--system');
if (isSystem) preloadSystemFaults();
const [name = '', strideText = '1'] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const batch = await batchOfThree();
const groups = {
  stores: cheapOperations,
  takes: takeOperations,
  library: libraryOperations,
  work: [batch, serviceJob],
};
const triedInGroups: number[] = [];
let broken = 0;
for (const [group, operations] of Object.entries(groups)) {
  const tried: number[] = [];
  for (const operation of operations.filter((one) => one.name.includes(name))) {
    let triedCount = 0;
    for (const fault of faults) {
      const stride = isSystem || operations === groups.work ? Number(strideText) : 1;
      const swept = await sweep(operation, fault, stride, isSystem ? withSystemFault : withFault);
      triedCount += swept.tried;
      broken += swept.problems.length;
      console.log(
        `${swept.problems.length === 0 ? '✓' : '✗'} ${operation.name}, ${fault}: ${swept.tried} places, ${swept.refused} refused`,
      );
      for (const problem of swept.problems) console.log(`  ${problem}`);
    }
    tried.push(triedCount);
  }
  triedInGroups.push(tried.reduce((sum, count) => sum + count, 0));
  if (name === '' && !isSystem) recordFigure({ id: `faults-${group}`, value: tried });
}
if (name === '' && isSystem) recordFigure({ id: 'system-faults', value: triedInGroups });
if (name === '') recordFigure({ id: isSystem ? 'system-faults-broken' : 'faults-broken', value: broken });
await batch.close();
console.log(`\n${broken} problems`);
process.exit(broken === 0 ? 0 : 1);
