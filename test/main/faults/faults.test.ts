/** The disk fails at the n-th operation: nothing is lost, nothing is half, and the person is told in words. */
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../support/disk_faults.ts';
import { sweep } from '../../support/fault_sweep.ts';
import { sized } from '../../support/sizes.ts';
import { cheapOperations, libraryOperations, takeOperations } from './operations.ts';
import { batchOfThree } from './queue_operations.ts';

const faults = sized<Fault[]>(['ENOSPC', 'END'], ['ENOSPC', 'EIO', 'EACCES', 'SHORT', 'END']);

describe.each(faults)('%s', { timeout: 60_000 }, (fault) => {
  it.each(cheapOperations)('at every operation of: $name', async (operation) => {
    const { problems } = await sweep(operation, fault);
    expect(problems).toEqual([]);
  });

  it.each([...takeOperations, ...libraryOperations])('at some operations of: $name', async (operation) => {
    const { problems } = await sweep(operation, fault, sized(9, 1));
    expect(problems).toEqual([]);
  });
});

it('at some operations of: a batch of three photos', async () => {
  const batch = await batchOfThree();
  const { problems } = await sweep(batch, 'EIO', sized(97, 1));
  await batch.close();
  expect(problems).toEqual([]);
});
