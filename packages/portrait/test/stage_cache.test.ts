import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sharedPhoto } from '../../../test/support/shared_heads.ts';
import { makeHead, modelHead } from '../src/make_head.ts';
import { StageCache } from '../src/stage_cache.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('stages of a photo’s next head', () => {
  it('are used again where their inputs are the same, and give the bytes of a head made alone', async () => {
    const photo = await sharedPhoto('female');
    const cache = new StageCache();
    cache.begin('photo');
    cache.begin('photo');
    const order = { photo, sex: 'female' } as const;
    const options = { smile: 0.6, evenness: 0.5, hairColour: '#c8a468', bust: '#335577', head: 0.9 } as const;
    const first = await makeHead(order, cache);
    const changed = await makeHead({ ...order, options }, cache);
    expect(Object.keys(changed.report.stageMs)).toEqual(['landmarks', 'write']);
    expect(changed.sha256).toBe((await makeHead({ ...order, options })).sha256);
    expect((await makeHead(order, cache)).sha256).toBe(first.sha256);
    const light = await makeHead({ ...order, options: { light: 0.5 } }, cache);
    expect(Object.keys(light.report.stageMs)).not.toContain('decode');
    const preview = await makeHead({ ...order, preview: true }, cache);
    expect(preview.report.silhouette).toBe(first.report.silhouette);
    expect((await makeHead(order, cache)).sha256).toBe(first.sha256);
    expect(light.sha256).toBe((await makeHead({ ...order, options: { light: 0.5 } })).sha256);
  }, 120_000);

  it('are kept of a preview, whose textures are coarser than a large photo would give', async () => {
    const photo = await sharp(await sharedPhoto('female'))
      .resize({ width: 1600 })
      .png()
      .toBuffer();
    const skinSize = async (preview: boolean): Promise<number | undefined> =>
      (await modelHead({ photo, sex: 'female', preview })).model.rasters.find(({ name }) => name === 'Skin')
        ?.width;
    expect([await skinSize(false), await skinSize(true)]).toEqual([2048, 1024]);

    const cache = new StageCache();
    let made = 0;
    const get = (): Promise<number> => cache.get('stage', [], async () => ++made);
    cache.begin('a', true);
    expect([await get(), await get()]).toEqual([1, 1]);
    cache.begin('b');
    expect([await get(), await get()]).toEqual([2, 3]);
  }, 60_000);

  it('are not kept of a first head, of another photo, of a failure, or for long', async () => {
    vi.useFakeTimers();
    const cache = new StageCache();
    let made = 0;
    const get = (): Promise<number> => cache.get('stage', [], async () => ++made);
    cache.begin('a');
    expect([await get(), await get()]).toEqual([1, 2]);
    cache.begin('a');
    expect([await get(), await get()]).toEqual([3, 3]);
    cache.begin('b');
    expect(await get()).toBe(4);
    cache.begin('b');
    await expect(cache.get('stage', [], () => Promise.reject(new Error('no face')))).rejects.toThrow();
    expect([await get(), await get()]).toEqual([5, 5]);
    vi.advanceTimersByTime(60_000);
    expect(await get()).toBe(6);
  });
});
