/**
 * Makes the sample face and the sample voice of the first screen: `node scripts/samples.ts`. Both are
 * completely synthetic: a portrait of the engine's default head in other colours, and speech from pulses and
 * noise through resonators. So they need no person's face or voice.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderHead } from '@likeness/head-renderer/rasteriser.ts';
import { reportPhoto } from '@likeness/portrait/preflight/photo_report.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { defaultHeadModel } from '@likeness/synthetic-heads/default_head.ts';
import { inventedHeads } from '@likeness/synthetic-heads/invented_heads.ts';
import { restingFace } from '@likeness/synthetic-heads/resting_face.ts';
import sharp from 'sharp';

const folder = join(import.meta.dirname, '../renderer/base/samples');

/** A portrait of nobody, as a photographer frames and lights it. */
async function face(): Promise<Buffer> {
  const model = await defaultHeadModel(
    'female',
    restingFace,
    { skin: [205, 156, 130], hair: [74, 48, 34], iris: [72, 98, 84] },
    { ...inventedHeads.default.cut, volume: 0.026 },
  );
  // Drawn three times as large, for smooth edges.
  const { data, width, height } = renderHead(model, {
    size: 3000,
    width: 2400,
    height: 0.37,
    middle: 0.16,
    background: [128, 142, 150],
  });
  // Opaque throughout: strands before the background are blended into it already.
  for (let i = 3; i < data.length; i += 4) data[i] = 255;
  return sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .resize(width / 3, height / 3)
    .jpeg({ quality: 88 })
    .toBuffer();
}

const rate = 16_000;

interface Phone {
  /** First three formants, Hz (Peterson and Barney 1952; consonants after Klatt 1980). */
  formants: readonly [number, number, number];
  /** Share of voice and of breath, 0..1. */
  voice: number;
  breath: number;
}
const phone = (f1: number, f2: number, f3: number, voice = 1, breath = 0): Phone => ({
  formants: [f1, f2, f3],
  voice,
  breath,
});
const phones = {
  _: phone(500, 1500, 2500, 0, 0),
  h: phone(560, 1500, 2500, 0, 0.35),
  e: phone(530, 1840, 2480),
  l: phone(360, 1100, 2700, 0.6),
  o: phone(500, 900, 2400),
  u: phone(320, 900, 2240),
  a: phone(760, 1180, 2440),
  i: phone(290, 2250, 2950),
  I: phone(400, 1990, 2550),
  m: phone(270, 1000, 2200, 0.35),
  n: phone(270, 1600, 2500, 0.35),
  d: phone(260, 1750, 2600, 0.12, 0.04),
  t: phone(300, 1800, 2600, 0, 0.12),
  k: phone(300, 1950, 2400, 0, 0.12),
  s: phone(340, 1800, 2650, 0, 0.2),
  p: phone(280, 900, 2200, 0, 0.06),
  r: phone(330, 1100, 1500, 0.7),
  y: phone(270, 2150, 3000, 0.8),
  æ: phone(680, 1720, 2440),
  ə: phone(500, 1350, 2450),
} as const;

/**
 * “Hello. I am a head. You speak, and I speak, too.” Letters are phones, figures their length in hundredths
 * of a second.
 */
const line =
  '_30 h7 ə8 l7 o16 u10 _34 a14 i9 æ11 m9 ə7 h7 e14 d7 _36 y7 u15 _6 s13 p7 i17 k8 _16 æ9 n7 d5 a12 i8 _4 s13 p7 i16 k7 _9 t8 u24 _40';
const spoken = line.split(' ').map((word) => ({
  phone: phones[word[0] as keyof typeof phones],
  seconds: Number(word.slice(1)) / 100,
}));

/** Numbers in −1 … 1 that are the same each time. */
function noise(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2147483648 - 1;
  };
}

/** Pulses and noise through three resonators in a row whose places glide from phone to phone. */
function voice(): Float32Array {
  const total = spoken.reduce((sum, { seconds }) => sum + seconds, 0);
  const sound = new Float32Array(Math.round(total * rate));
  const hiss = noise();
  const last = [0, 0, 0].map(() => [0, 0]);
  let breathBefore = 0;
  const now = { formants: [500, 1500, 2500], voice: 0, breath: 0 };
  let [index, until, phase] = [-1, 0, 0];
  for (let at = 0; at < sound.length; at += 1) {
    while (at / rate >= until && index < spoken.length - 1) {
      index += 1;
      until += spoken[index]!.seconds;
    }
    const { phone: wanted } = spoken[index]!;
    // Tongue and lips take some 30 ms to where they are going, the glottis 12.
    now.formants = now.formants.map((f, k) => f + (wanted.formants[k]! - f) / (0.03 * rate));
    now.voice += (wanted.voice - now.voice) / (0.012 * rate);
    now.breath += (wanted.breath - now.breath) / (0.012 * rate);
    const seconds = at / rate;
    // The pitch falls over the line and rises a little with each word.
    const pitch = 205 - 9 * seconds + 14 * Math.sin(2 * Math.PI * 0.9 * seconds) + 2 * hiss();
    phase += pitch / rate;
    if (phase >= 1) phase -= 1;
    // A glottis opens slowly and shuts fast (Rosenberg 1971): its slope excites the resonators.
    const pulse = phase < 0.5 ? Math.sin(2 * Math.PI * phase) * 0.35 : phase < 0.58 ? -1 : 0;
    let x = now.voice * pulse + 0.05 * now.voice * hiss() + now.breath * hiss();
    for (const [k, f] of now.formants.entries()) {
      const r = Math.exp((-Math.PI * (50 + 0.05 * f)) / rate);
      const b = 2 * r * Math.cos((2 * Math.PI * f) / rate);
      const [y1, y2] = last[k]! as [number, number];
      const y = (1 - b + r * r) * x + b * y1 - r * r * y2;
      last[k] = [y, y1];
      x = y;
    }
    // What hisses passes by the throat: it is high, and has no formants to speak of.
    const high = now.breath * hiss();
    sound[at] = x + 0.5 * (high - breathBefore);
    breathBefore = high;
  }
  const peak = sound.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return sound.map((value) => (0.7 * value) / peak);
}

const portrait = await face();
const { findings } = await reportPhoto(new Uint8Array(portrait), null);
if (findings.length > 0)
  throw new Error(`The engine objects to its own sample: ${findings.map(({ code }) => code)}`);
writeFileSync(join(folder, 'face.jpg'), portrait);
writeFileSync(join(folder, 'voice.wav'), encodeWav({ sampleRate: rate, samples: voice() }, 's16le'));
// The vision runtime keeps timers and a loopback server that would hold the process.
process.exit(0);
