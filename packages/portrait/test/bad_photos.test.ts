import { translate } from '@likeness/messages';
import type { PhotoWarning } from '@likeness/proto/heads/photo_findings.ts';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { findingsOf } from '../../../main/engine_host/photo_findings.ts';
import { photograph } from '../../../test/support/drawn_photo.ts';
import { sharedHead, sharedPhoto } from '../../../test/support/shared_heads.ts';
import { sized } from '../../../test/support/sizes.ts';
import type { ReportedFinding } from '../src/contract/photo_report.ts';
import { portraitErrorCodes } from '../src/contract/portrait_error.ts';
import { PortraitError, type PortraitErrorCode, portraitFailMessage } from '../src/index.ts';
import { loadFaceNetworks } from '../src/landmarks/face_networks.ts';
import type { FaceNetwork } from '../src/landmarks/tensorflow.ts';
import { modelHead } from '../src/make_head.ts';
import { readPhoto } from '../src/photo/photo.ts';
import { reportPhoto } from '../src/preflight/photo_report.ts';
import { type CheckedFace, checkFace } from '../src/preflight/portrait_check.ts';
import { reportedFindings } from '../src/preflight/reported_findings.ts';

let good: Uint8Array;
beforeAll(async () => {
  good = await sharedPhoto('female');
});

const check = async (photo: Uint8Array): Promise<readonly ReportedFinding[]> =>
  (await reportPhoto(photo, null)).findings;
const errorOf = (findings: readonly ReportedFinding[]): ReportedFinding | undefined =>
  findings.find(({ severity }) => severity === 'error');
const verdict = async (photo: Uint8Array): Promise<string> => errorOf(await check(photo))?.code ?? 'ok';
const bytes = async (image: Sharp): Promise<Uint8Array> => new Uint8Array(await image.toBuffer());
const painted = (shapes: string): Promise<Uint8Array> =>
  bytes(
    sharp(good)
      .composite([{ input: Buffer.from(`<svg width="640" height="640">${shapes}</svg>`) }])
      .png(),
  );

/** A PNG header that promises more pixels than anyone should decode. */
function bomb(side: number): Uint8Array {
  const header = Buffer.alloc(33);
  Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]).copy(header);
  header.writeUInt32BE(13, 8);
  header.write('IHDR', 12);
  header.writeUInt32BE(side, 16);
  header.writeUInt32BE(side, 20);
  header.set([8, 2, 0, 0, 0], 24);
  header.writeUInt32BE(crc(header.subarray(12, 29)), 29);
  return new Uint8Array(
    Buffer.concat([header, Buffer.from([0, 0, 0, 0]), Buffer.from('IDAT'), Buffer.alloc(4)]),
  );
}

function crc(data: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of data) {
    c ^= byte;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return (c ^ 0xffffffff) >>> 0;
}

describe('photos of every kind that is a portrait all the same', () => {
  it.each([
    ['a plain one', () => good],
    ['a JPEG', () => bytes(sharp(good).jpeg({ quality: 85 }))],
    ['a WebP', () => bytes(sharp(good).webp())],
    ['grey-scale', () => bytes(sharp(good).greyscale().png())],
    ['16 bits a channel', () => bytes(sharp(good).toColourspace('rgb16').png())],
    ['CMYK', () => bytes(sharp(good).toColourspace('cmyk').jpeg())],
    ['transparent round the edge', () => bytes(sharp(good).ensureAlpha(0.99).png())],
    ['turned by EXIF', () => bytes(sharp(good).rotate(90).withMetadata({ orientation: 8 }).jpeg())],
    ['huge', () => bytes(sharp(good).resize(3200).jpeg())],
  ])('%s', async (_, make) => {
    expect(await verdict(await make())).toBe('ok');
  });

  it('has nothing to say against a plain one', async () => {
    expect(await check(good)).toEqual([]);
  });

  it('warns of a grey photo', async () => {
    const findings = await check(await bytes(sharp(good).greyscale().png()));
    expect(findings.map(({ code }) => code)).toContain('grey_photo');
  });
});

describe('photos of which a head can be made, with a warning', () => {
  /** Scales a picture's values and adds to them, as an exposure does. */
  const exposed = (gain: number): Promise<Uint8Array> => bytes(sharp(good).linear(gain, 0).png());
  const shot = async (morphs: Record<string, number>): Promise<Uint8Array> =>
    (await photograph(await sharedHead('female'), { morphs })).png;

  it.each<[string, PhotoWarning, () => Promise<Uint8Array>]>([
    ['a little out of focus', 'soft_focus', () => bytes(sharp(good).blur(3).png())],
    ['rather dark', 'dark_photo', () => exposed(0.25)],
    [
      'blown out in places',
      'blown_out',
      () => painted('<ellipse cx="320" cy="246" rx="56" ry="30" fill="#fff"/>'),
    ],
    [
      'closed eyes',
      'eyes_closed',
      // As lids close over eyes that go down; by lids alone the network takes the drawn ones for half open.
      () => shot({ eyeBlinkLeft: 1, eyeBlinkRight: 1, eyeLookDownLeft: 1, eyeLookDownRight: 1 }),
    ],
    ['eyes that look aside', 'looking_aside', () => shot({ eyeLookOutLeft: 1, eyeLookInRight: 1 })],
    ['an open mouth', 'teeth_showing', () => shot({ jawOpen: 0.6 })],
    [
      'rimless glasses',
      'glasses',
      () =>
        painted(
          '<path d="M298 306 Q320 292 342 306" fill="none" stroke="#6f6a60" stroke-width="3"/><g fill="none" stroke="#fff" stroke-opacity=".25"><rect x="226" y="280" width="70" height="44" rx="14"/><rect x="344" y="280" width="70" height="44" rx="14"/></g>',
        ),
    ],
    ['hair beyond the edge', 'hair_cut_off', async () => await bytes(sharp(good).extract(cropped).png())],
    ['a poster of few tones', 'perhaps_drawing', () => posterised(6)],
    ['a face of stone in a garden', 'perhaps_statue', stone],
    [
      'a face in blue light',
      'odd_skin_colour',
      () => bytes(sharp(good).linear([0.55, 0.75, 1.3], [0, 0, 0]).png()),
    ],
  ])('%s', async (_, warning, make) => {
    const findings = await check(await make());
    expect(errorOf(findings)).toBeUndefined();
    expect(findings.map(({ code }) => code)).toContain(warning);
  });

  it('takes ink on paper for no photographed face', async () => {
    expect(await verdict(await inked())).toBe('covered_face');
  });

  it('tells each with a figure on the wrong side of its limit', async () => {
    for (const photo of [await exposed(0.25), await bytes(sharp(good).blur(3).png()), await posterised(6)]) {
      for (const { figure, limit } of findingsOf(await check(photo))) {
        expect(figure).not.toBeNull();
        expect(figure).not.toBe(limit);
      }
    }
  });

  it('never says that a figure is at its limit where it is beyond', () => {
    const face = {
      landmarks: { iod: 99.7 },
      fit: { pose: { yaw: -9.04 } },
      warnings: ['slightly_turned', 'small_face'],
      overridden: [],
    } as unknown as CheckedFace;
    expect(findingsOf(reportedFindings(face)).map(({ figure, limit }) => [figure, limit])).toEqual([
      [10, 9],
      [99, 100],
    ]);
  });
});

describe('photos that a rule of quality refuses, and that are wanted all the same', () => {
  const sunglasses =
    '<rect x="214" y="268" width="92" height="64" rx="20" fill="#0a0a0a"/><rect x="334" y="268" width="92" height="64" rx="20" fill="#0a0a0a"/>';

  const refused: [string, PortraitErrorCode, string[], () => Promise<Uint8Array>][] = [
    ['far out of focus', 'too_blurred', ['soft'], () => bytes(sharp(good).blur(7).png())],
    ['dark', 'too_dark', ['off_colours'], () => bytes(sharp(good).linear(0.11, 0).png())],
    ['small', 'face_too_small', ['coarse'], () => bytes(sharp(good).resize(220).png())],
    ['behind sunglasses', 'covered_face', ['covered'], () => painted(sunglasses)],
  ];

  it.each(refused)('%s', async (_, code, expected, make) => {
    const photo = await make();
    const findings = await check(photo);
    expect(errorOf(findings)?.code).toBe(code);
    expect(findingsOf(findings)[0]).toMatchObject({
      severity: 'blocking',
      anyway: expected,
    });
    await expect(modelHead({ photo, sex: 'female' })).rejects.toMatchObject({ code });
    const { overridden } = checkFace(await loadFaceNetworks(), await readPhoto(photo), true);
    expect(overridden).toMatchObject([{ code }]);
  });

  it.each(sized(refused.slice(-2), refused))('its head says so: %s', async (_, code, __, make) => {
    const { report, model } = await modelHead({ photo: await make(), sex: 'female', anyway: true });
    expect(report.overridden).toEqual([code]);
    expect(model.extras).toMatchObject({ overridden: [code] });
  });

  it('says on which side of the photo a turned face is out of view', { timeout: 60_000 }, async () => {
    for (const [turn, side] of [
      [44, 'right'],
      [-44, 'left'],
    ] as const) {
      const { png } = await photograph(await sharedHead('female'), { yaw: turn });
      const errors = (await check(png)).filter(({ severity }) => severity === 'error');
      expect(errors).toMatchObject([{ code: 'turned_too_far', params: { side }, overridable: true }]);
    }
  });

  it('stay refused where no head can be made at all', { timeout: 60_000 }, async () => {
    for (const photo of [
      await bytes(sharp(good).resize(90).png()),
      await bytes(sharp(good).linear(0.01, 0).png()),
      await inked(),
    ]) {
      const findings = await check(photo);
      expect(errorOf(findings)).toBeDefined();
      expect(findingsOf(findings)[0]).not.toHaveProperty('anyway');
      await expect(modelHead({ photo, sex: 'female', anyway: true })).rejects.toBeInstanceOf(PortraitError);
    }
  });
});

describe('a face that nothing covers is not called covered', () => {
  /** Light that makes the drawn skin dark. */
  const darkSkin = [0.45, 0.36, 0.3];
  const shaded = (area: string, deep: number): string =>
    `<rect ${area} fill="#06060a" fill-opacity="${deep}"/>`;
  /** A shadow's edge is soft. */
  const below = (deep: number): string =>
    `<filter id="soft"><feGaussianBlur stdDeviation="8"/></filter><g filter="url(#soft)">${shaded('x="0" y="345" width="640" height="300"', deep)}</g>`;
  /** Eyes whose white and dark can be told, as in a photo; the drawn head's have little contrast. */
  const eyes = [273, 367]
    .map(
      (x) =>
        `<ellipse cx="${x}" cy="297" rx="19" ry="8" fill="#e8e4e0"/><circle cx="${x}" cy="297" r="7" fill="#1c120c"/>`,
    )
    .join('');

  it.each<[string, string, number[]]>([
    ['a black beard over the lips, in shade', beard('#221c1a') + below(0.5), [1, 1, 1]],
    ['a black beard over the lips, on dark skin', beard('#221c1a'), darkSkin],
    ['the same in shade', beard('#221c1a') + below(0.5), darkSkin],
    ['a white beard over the lips', beard('#d8d6d2'), [1, 1, 1]],
    ['a mouth in deep shade', below(0.75), [1, 1, 1]],
    ['eyes in deep shade', eyes + shaded('x="225" y="262" width="190" height="60"', 0.68), [1, 1, 1]],
    ['the same on dark skin', eyes + shaded('x="225" y="262" width="190" height="60"', 0.68), darkSkin],
    ['thick glasses low on the nose', glassesLow, [1, 1, 1]],
  ])('%s', async (_, shapes, light) => {
    const lit = sharp(await painted(shapes)).linear(light, [0, 0, 0]);
    expect(errorOf(await check(await bytes(lit.png())))).toBeUndefined();
  });
});

/** Hair over chin and lips of the drawn portrait: strokes of a seeded generator. */
function beard(colour: string): string {
  let seed = 1;
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  let hairs = '';
  for (let i = 0; i < 2600; i++) {
    const x = 235 + 170 * random();
    const y = 348 + 120 * random();
    if (((x - 320) / 95) ** 2 + ((y - 385) / 85) ** 2 > 1) continue;
    const lean = 4 * (random() - 0.5) + (x - 320) / 20;
    hairs += `<path d="M${x} ${y}l${lean} ${6 + 6 * random()}" stroke="${colour}" stroke-opacity="${0.4 + 0.6 * random()}"/>`;
  }
  return `<g stroke-width="2" fill="none">${hairs}</g>`;
}

const glassesLow =
  '<g fill="none" stroke="#141414" stroke-width="7"><rect x="222" y="276" width="76" height="46" rx="14"/><rect x="342" y="276" width="76" height="46" rx="14"/><path d="M298 298q22 -8 44 0"/></g>';

/** Cloth from the nose to the chin of the drawn portrait. */
const mask = (colour: string): string =>
  `<path d="M215 321 L320 306 L425 321 L410 410 L320 460 L230 410 Z" fill="${colour}"/>`;

/** The upper edge just above the forehead of the drawn portrait. */
const cropped = { left: 0, top: 175, width: 640, height: 465 };

async function posterised(levels: number): Promise<Uint8Array> {
  const { data, info } = await sharp(good).blur(3).raw().toBuffer({ resolveWithObject: true });
  const step = 255 / (levels - 1);
  const raw = { width: info.width, height: info.height, channels: 3 } as const;
  return bytes(
    sharp(
      data.map((value) => Math.round(Math.round(value / step) * step)),
      { raw },
    ).png(),
  );
}

/** Lines where the picture is darker than about it, on white. */
async function inked(): Promise<Uint8Array> {
  const grey = await sharp(good).greyscale().raw().toBuffer();
  const about = await sharp(good).greyscale().blur(4).raw().toBuffer();
  const ink = grey.map((value, i) => (value < about[i]! - 5 ? 0 : 255));
  return bytes(sharp(ink, { raw: { width: 640, height: 640, channels: 1 } }).png());
}

/** The portrait in rough grey stone, before green. */
async function stone(): Promise<Uint8Array> {
  const grey = await sharp(good).greyscale().raw().toBuffer();
  const { data, info } = await sharp(good).raw().toBuffer({ resolveWithObject: true });
  let seed = 1;
  for (let i = 0; i < grey.length; i++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const ground = data[3 * i] === 150 && data[3 * i + 1] === 158;
    const value = 140 + (grey[i]! - 140) * 0.6 + (seed / 2 ** 32 - 0.5) * 24;
    data.set(ground ? [90, 150, 70] : [value, value, value - 4], 3 * i);
  }
  return bytes(sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } }).png());
}

describe('photos that no head can be made of', () => {
  it.each<[string, PortraitErrorCode, () => Uint8Array | Promise<Uint8Array>]>([
    [
      'text under a picture’s name',
      'not_an_image',
      () => new TextEncoder().encode('To whom it may concern, '.repeat(40)),
    ],
    ['nothing', 'not_an_image', () => new Uint8Array(0)],
    [
      'a vector drawing',
      'not_an_image',
      () =>
        new TextEncoder().encode(
          '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><circle r="9"/></svg>',
        ),
    ],
    ['half a JPEG', 'damaged_image', async () => (await bytes(sharp(good).jpeg())).subarray(0, 9000)],
    ['a decompression bomb', 'too_many_pixels', () => bomb(30000)],
    ['more bytes than are accepted', 'too_large', () => new Uint8Array(65 * 1024 * 1024)],
    ['a stamp', 'image_too_small', () => bytes(sharp(good).resize(64).png())],
    ['a small face', 'face_too_small', () => bytes(sharp(good).resize(170).png())],
    [
      'a wall',
      'no_face',
      () => bytes(sharp({ create: { width: 500, height: 500, channels: 3, background: '#8a9098' } }).png()),
    ],
    [
      'two people',
      'several_faces',
      () =>
        bytes(
          sharp({ create: { width: 1280, height: 640, channels: 3, background: '#969ea8' } })
            .composite([
              { input: Buffer.from(good), left: 0, top: 0 },
              { input: Buffer.from(good), left: 640, top: 0 },
            ])
            .png(),
        ),
    ],
    [
      'a face half out of the picture',
      'face_cut_off',
      () => bytes(sharp(good).extract({ left: 330, top: 0, width: 310, height: 640 }).png()),
    ],
    [
      'sunglasses',
      'covered_face',
      () =>
        painted(
          '<rect x="210" y="225" width="105" height="70" rx="20" fill="#111"/><rect x="325" y="225" width="105" height="70" rx="20" fill="#111"/>',
        ),
    ],
    ['a mask', 'covered_face', () => painted(mask('#5fa8d8'))],
    ['a black mask', 'covered_face', () => painted(mask('#1e1e22'))],
    ['a white mask', 'covered_face', () => painted(mask('#e4e6e8'))],
    [
      'a cup before the mouth',
      'covered_face',
      () => painted('<path d="M270 360 L370 360 L362 470 L278 470 Z" fill="#e8e6e2"/>'),
    ],
    ['the dark', 'too_dark', () => bytes(sharp(good).linear(0.09, 0).png())],
    ['glare', 'too_bright', () => bytes(sharp(good).linear(2.2, 0).png())],
    ['a blurred one', 'too_blurred', () => bytes(sharp(good).blur(14).png())],
  ])('%s', async (_, code, make) => {
    const photo = await make();
    const error = errorOf(await check(photo))!;
    // A face that is cut in half, or blurred away, may just as well not be found.
    const isFaceLost = code === 'face_cut_off' || code === 'too_blurred';
    expect([code, ...(isFaceLost ? ['no_face', 'turned_too_far'] : [])]).toContain(error.code);
    for (const language of ['en', 'zh'] as const)
      expect(error.messages![language]).not.toMatch(/undefined|NaN/);
  });

  it('a head turned away', async () => {
    const turned = (await photograph(await sharedHead('female'), { yaw: 52 })).png;
    expect(['turned_too_far', 'no_face']).toContain(await verdict(turned));
  });

  it('a face that the network is not sure of, or sees otherwise in every pass, as it does animals’', async () => {
    const networks = await loadFaceNetworks();
    const picture = await readPhoto(good);
    const codeOf = (mesh: FaceNetwork): string | undefined => {
      try {
        checkFace({ ...networks, mesh }, picture);
        return undefined;
      } catch (error) {
        return (error as PortraitError).code;
      }
    };
    const { side, run } = networks.mesh;
    let pass = 0;
    const wavering = (input: Float32Array): Float32Array[] => {
      const [points, presence] = run(input);
      const off = pass++ % 2 ? 4 : -4;
      return [points!.map((value, i) => value + (i % 2 ? off : -off)), presence!];
    };
    const unsure = (input: Float32Array): Float32Array[] => [run(input)[0]!, Float32Array.of(0.7)];
    expect(codeOf({ side, run })).toBeUndefined();
    expect(codeOf({ side, run: wavering })).toBe('no_face');
    expect(codeOf({ side, run: unsure })).toBe('no_face');
  });

  it('ignores a small face behind a large one, and says so', async () => {
    const small = await sharp(good).resize(150).toBuffer();
    const both = await bytes(
      sharp(good)
        .composite([{ input: small, left: 5, top: 5 }])
        .png(),
    );
    expect(await verdict(both)).toBe('ok');
  });

  it('has a sentence for every code in both languages', () => {
    for (const code of portraitErrorCodes) {
      for (const language of ['en', 'zh-CN'] as const) {
        expect(translate(portraitFailMessage(new PortraitError(code)), language).length).toBeGreaterThan(10);
      }
    }
  });
});
