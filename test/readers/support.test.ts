import { expect, it } from 'vitest';
import { describeWith, inBlender } from '../support/readers.ts';

describeWith('blender', 'a script inside Blender', () => {
  it('gets its arguments and gives its result back', async () => {
    const script = `result = {'objects': len(bpy.data.objects), 'sum': int(np.sum(args['numbers']))}`;
    expect(await inBlender(script, { numbers: [1, 2, 3] })).toEqual({ objects: 0, sum: 6 });
  });

  it('says what went wrong', async () => {
    await expect(inBlender(`raise ValueError('no such head')`)).rejects.toThrow('no such head');
  });
});
