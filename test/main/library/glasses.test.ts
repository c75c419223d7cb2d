import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chosenOptions } from '@likeness/proto/heads/head_options.ts';
import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';
import { describe, expect, it } from 'vitest';
import { readOptions, writeOptions } from '../../../main/batch/photos/head_options_text.ts';
import { modelOf } from '../../../main/library/index/index_rows.ts';
import {
  type LikenessRecord,
  newRecord,
  parseRecord,
  recordText,
} from '../../../main/library/model/likeness_record.ts';
import { readModelMetadata } from '../../../main/library/model/model_folder.ts';

/** A GLB that holds nothing but its scene's words. */
function fileSaying(extras: object): Buffer {
  const json = JSON.stringify({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [], extras }] });
  const chunk = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  const head = Buffer.alloc(20);
  head.write('glTF', 0, 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(20 + chunk.length, 8);
  head.writeUInt32LE(chunk.length, 12);
  head.write('JSON', 16, 'latin1');
  return Buffer.concat([head, chunk]);
}

describe('glasses, kept or painted away', () => {
  it('are read as a choice and written in a cell, and what is usual is no choice', () => {
    expect(HeadOptionsSchema.parse({ glasses: 'removed' })).toEqual({ glasses: 'removed' });
    expect(HeadOptionsSchema.safeParse({ glasses: 'none' }).success).toBe(false);
    expect(chosenOptions({ glasses: 'seen' })).toBeNull();
    const options = { smile: 1, glasses: 'removed' } as const;
    expect(writeOptions(options)).toBe('smile=1; glasses=removed');
    expect(readOptions('Glasses=removed, smile=1')).toEqual({ options, wrong: null });
    expect(readOptions('glasses=gone')).toEqual({ options: null, wrong: 'glasses=gone' });
  });

  it('are known of a head by what its file says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'glasses-'));
    try {
      const said = async (extras: object): Promise<boolean | null> => {
        await mkdir(join(folder, 'head'), { recursive: true });
        await writeFile(join(folder, 'head', 'model.glb'), fileSaying(extras));
        return (await readModelMetadata(join(folder, 'head'))).glasses;
      };
      expect(await said({ engine: 'portrait-19', glasses: 'seen' })).toBe(true);
      expect(await said({ engine: 'portrait-19', glasses: 'removed' })).toBe(true);
      expect(await said({ engine: 'portrait-19', glasses: 'none' })).toBe(false);
      expect(await said({ engine: 'portrait-18' })).toBeNull();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('and what the engine is unsure of, until the person has answered', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'uncertain-'));
    try {
      await mkdir(join(folder, 'head'), { recursive: true });
      await writeFile(join(folder, 'head', 'model.glb'), fileSaying({ uncertain: ['hair', 'nonsense'] }));
      const { uncertain } = await readModelMetadata(join(folder, 'head'));
      expect(uncertain).toEqual(['hair']);
      const record = newRecord({ id: 'm-1', name: 'Ann', source: 'portrait', createdAt: 1, uncertain });
      const shown = (given: LikenessRecord) =>
        modelOf({ record: recordText(given), engine: '', tags: '[]' }, 2, 1).uncertain;
      expect(shown(record)).toEqual(['hair']);
      expect(shown({ ...record, uncertaintyAnswered: true })).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('leave records of before as they were: nothing chosen, nothing known', () => {
    const record = newRecord({ id: 'm-1', name: 'Ann', source: 'portrait', createdAt: 1 });
    const { glasses: _, ...before } = {
      ...record,
      parameters: { ...record.parameters, options: { smile: 1, hair: 'bald' as const } },
    };
    const read = parseRecord(JSON.stringify(before));
    expect(read.glasses).toBeNull();
    expect(read.parameters.options).toEqual({ smile: 1, hair: 'bald' });
    expect(parseRecord(recordText({ ...read, glasses: true })).glasses).toBe(true);
  });
});
