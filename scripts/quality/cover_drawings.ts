/**
 * Draws objects that cover a face, and objects that don't, over a portrait at its landmarks, with a seeded
 * generator.
 */

import type { FaceLandmarks } from '@likeness/portrait/landmarks/landmarks.ts';
import type { Picture } from '@likeness/portrait/photo/photo.ts';
import { lowerLip, upperLip } from '@likeness/portrait/topology/face_topology.ts';
import sharp from 'sharp';

type Point = readonly [x: number, y: number];
type Rgb = readonly [number, number, number];
/** A face to draw on: positions of its landmarks, its size, the colour of its skin. */
interface Face {
  at(landmark: number): Point;
  /** A position in eye distances from a landmark, along the face's own axes. */
  from(landmark: number, right: number, down: number): Point;
  iod: number;
  skin: Rgb;
  random(): number;
}

const rgb = (c: Rgb): string =>
  `rgb(${c.map((part) => Math.max(0, Math.min(255, Math.round(part)))).join(',')})`;
const times = (c: Rgb, factor: number): Rgb => [c[0] * factor, c[1] * factor, c[2] * factor];
const path = (points: readonly Point[]): string =>
  `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
const soft = (id: string, radius: number): string =>
  `<filter id="${id}" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="${radius.toFixed(1)}"/></filter>`;

function inside([x, y]: Point, polygon: readonly Point[]): boolean {
  let odd = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [ax, ay] = polygon[i]!;
    const [bx, by] = polygon[j]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}

const jaw = [58, 172, 136, 150, 149, 176, 148, 152, 377, 400, 378, 379, 365, 397, 288];
const lips = [...upperLip[0]!, ...[...lowerLip[0]!].reverse()];

/**
 * Draws hairs in a polygon, not on the lips. `length` in eye distances, `density` per square eye distance.
 */
function hairs(face: Face, area: readonly Point[], colour: Rgb, density: number, length: number): string {
  const mouth = lips.map(face.at);
  const xs = area.map(([x]) => x);
  const ys = area.map(([, y]) => y);
  const [x0, y0] = [Math.min(...xs), Math.min(...ys)];
  const [w, h] = [Math.max(...xs) - x0, Math.max(...ys) - y0];
  const [middle] = face.at(152);
  let lines = '';
  for (let i = 0; i < (density * w * h) / face.iod ** 2; i++) {
    const [x, y] = [x0 + w * face.random(), y0 + h * face.random()];
    if (!inside([x, y], area) || inside([x, y], mouth)) continue;
    const long = length * face.iod * (0.6 + 0.8 * face.random());
    const lean = (0.7 * (x - middle)) / face.iod + 0.8 * (face.random() - 0.5);
    const end: Point = [x + long * Math.sin(lean), y + long * Math.cos(lean)];
    const tip = inside(end, mouth) ? ([x, y + 0.3 * long] as const) : end;
    const shade = rgb(times(colour, 0.55 + 0.9 * face.random()));
    lines += `<path d="M${x.toFixed(1)} ${y.toFixed(1)}L${tip[0].toFixed(1)} ${tip[1].toFixed(1)}" stroke="${shade}"/>`;
  }
  return `<g fill="none" stroke-width="${Math.max(0.7, 0.012 * face.iod).toFixed(2)}" stroke-opacity=".8">${lines}</g>`;
}

const beardArea = (face: Face): Point[] => [
  face.at(132),
  ...jaw.map((i) => face.from(i, 0, 0.08)),
  face.at(361),
  face.at(436),
  face.at(327),
  face.at(2),
  face.at(98),
  face.at(216),
];
const moustacheArea = (face: Face): Point[] => [
  face.at(98),
  face.at(2),
  face.at(327),
  face.at(410),
  face.from(291, 0.05, 0.12),
  face.from(0, 0, 0.03),
  face.from(61, -0.05, 0.12),
  face.at(186),
];
const beard =
  (colour: Rgb, density = 2600) =>
  (face: Face): string =>
    hairs(face, beardArea(face), colour, density, 0.1);
/** A full moustache that hangs over the upper lip. */
const moustache =
  (colour: Rgb) =>
  (face: Face): string =>
    hairs(face, moustacheArea(face), colour, 3600, 0.13);

/** Closed lips over the photo's own; `pale` ones have nearly the skin's colour. */
const shut =
  (pale: boolean) =>
  (face: Face): string => {
    const tint = pale ? [0.88, 0.82, 0.8] : [0.82, 0.62, 0.6];
    const colour: Rgb = [face.skin[0] * tint[0]!, face.skin[1] * tint[1]!, face.skin[2] * tint[2]!];
    const [ax, ay] = face.at(61);
    const [bx, by] = face.at(291);
    const [mx, my] = [(face.at(13)[0] + face.at(14)[0]) / 2, (face.at(13)[1] + face.at(14)[1]) / 2];
    return `<defs>${soft('l', 0.012 * face.iod)}</defs><g filter="url(#l)"><path d="${path(lips.map(face.at))}" fill="${rgb(colour)}"/>
      <path d="M${ax} ${ay}Q${mx} ${my} ${bx} ${by}" fill="none" stroke="${rgb(times(colour, 0.45))}" stroke-width="${0.02 * face.iod}"/></g>`;
  };

/** The outline of a mask: from the bridge of the nose to below the chin. */
const maskArea = (face: Face): Point[] => [
  face.at(6),
  face.at(347),
  face.at(454),
  face.at(361),
  ...[...jaw].reverse().map((i) => face.from(i, 0, 0.12)),
  face.at(132),
  face.at(234),
  face.at(118),
];
function cloth(face: Face, area: readonly Point[], colour: Rgb, pattern = ''): string {
  const folds = [0.25, 0.5, 0.75].map((t) => {
    const [ax, ay] = face.from(58, 0.1, -0.3 + 0.5 * t);
    const [bx, by] = face.from(288, -0.1, -0.3 + 0.5 * t);
    return `<path d="M${ax} ${ay}Q${(ax + bx) / 2} ${(ay + by) / 2 + 0.1 * face.iod} ${bx} ${by}"/>`;
  });
  const [cx, cy] = face.at(1);
  return `<defs>${soft('s', 0.08 * face.iod)}<clipPath id="c"><path d="${path(area)}"/></clipPath></defs>
    <path d="${path(area)}" fill="${rgb(colour)}"/><g clip-path="url(#c)">${pattern}
    <ellipse cx="${cx}" cy="${cy}" rx="${0.3 * face.iod}" ry="${0.3 * face.iod}" fill="#fff" fill-opacity=".18" filter="url(#s)"/>
    <g fill="none" stroke="${rgb(times(colour, 0.7))}" stroke-width="${0.015 * face.iod}" stroke-opacity=".7">${folds.join('')}</g></g>`;
}
const mask =
  (colour: Rgb | number) =>
  (face: Face): string =>
    cloth(face, maskArea(face), typeof colour === 'number' ? times(face.skin, colour) : colour);
function flowered(face: Face): string {
  const [x0, y0] = face.from(234, 0, -0.2);
  const dots = Array.from({ length: 160 }, () => {
    const fill = ['#d33', '#fff', '#e9b23c', '#295'][Math.floor(4 * face.random())]!;
    return `<circle cx="${x0 + 1.6 * face.iod * face.random()}" cy="${y0 + 1.6 * face.iod * face.random()}" r="${0.035 * face.iod}" fill="${fill}"/>`;
  });
  return cloth(face, maskArea(face), [60, 70, 120], dots.join(''));
}
function scarf(colour: Rgb, other: Rgb) {
  return (face: Face): string => {
    const bands = Array.from({ length: 9 }, (_, k) => {
      const a = face.from(58, -0.4, -0.45 + 0.16 * k);
      const b = face.from(288, 0.4, -0.45 + 0.16 * k);
      return `<path d="M${a[0]} ${a[1]}L${b[0]} ${b[1]}" stroke="${rgb(other)}" stroke-width="${0.06 * face.iod}"/>`;
    });
    const area = [
      face.at(4),
      face.from(234, -0.1, 0.3),
      face.from(172, -0.4, 0.9),
      face.from(397, 0.4, 0.9),
      face.from(454, 0.1, 0.3),
    ];
    return cloth(face, area, colour, bands.join(''));
  };
}
const cup =
  (colour: Rgb) =>
  (face: Face): string => {
    const area = [
      face.from(61, -0.08, -0.1),
      face.from(291, 0.08, -0.1),
      face.from(291, 0.02, 0.75),
      face.from(61, -0.02, 0.75),
    ];
    const [x, y] = face.from(0, 0, -0.08);
    return `<path d="${path(area)}" fill="${rgb(colour)}"/><ellipse cx="${x}" cy="${y}" rx="${0.34 * face.iod}" ry="${0.06 * face.iod}" fill="${rgb(times(colour, 0.8))}"/>`;
  };
function hand(face: Face): string {
  const fingers = [0, 1, 2, 3].map((k) => {
    const [x, y] = face.from(13, -0.62, -0.2 + 0.15 * k);
    const fill = rgb(times(face.skin, 0.9 + 0.05 * k));
    return `<rect x="${x}" y="${y}" width="${1.15 * face.iod}" height="${0.165 * face.iod}" rx="${0.08 * face.iod}" fill="${fill}" stroke="${rgb(times(face.skin, 0.6))}" stroke-width="${0.012 * face.iod}"/>`;
  });
  return fingers.join('');
}
const darkGlasses =
  (fill: string) =>
  (face: Face): string =>
    [33, 263]
      .map((i) => {
        const [x, y] = face.from(i, i === 33 ? -0.1 : -0.42, -0.2);
        return `<rect x="${x}" y="${y}" width="${0.52 * face.iod}" height="${0.4 * face.iod}" rx="${0.12 * face.iod}" fill="${fill}"/>`;
      })
      .join('');
/** Glasses low on the nose: their upper rim crosses the eyes. */
const lowGlasses =
  (width: number, stroke: string) =>
  (face: Face): string => {
    const frames = [33, 263].map((i) => {
      const [x, y] = face.from(i, i === 33 ? -0.08 : -0.42, -0.02);
      return `<rect x="${x}" y="${y}" width="${0.5 * face.iod}" height="${0.3 * face.iod}" rx="${0.1 * face.iod}"/>`;
    });
    const [ax, ay] = face.from(197, -0.1, 0.02);
    return `<g fill="#fff" fill-opacity=".06" stroke="${stroke}" stroke-width="${width * face.iod}">${frames.join('')}<path fill="none" d="M${ax} ${ay}q${0.1 * face.iod} ${-0.05 * face.iod} ${0.2 * face.iod} 0"/></g>`;
  };
/** Hard light from above or from one side: half of the face is dark. */
const shade =
  (which: 'below' | 'side' | 'eyes', deep: number) =>
  (face: Face): string => {
    const [x, y] = face.at(which === 'below' ? 2 : which === 'side' ? 4 : 6);
    const area = {
      below: [x - 3 * face.iod, y, 6 * face.iod, 4 * face.iod],
      side: [x, y - 3 * face.iod, 4 * face.iod, 6 * face.iod],
      eyes: [x - face.iod, y - 0.28 * face.iod, 2 * face.iod, 0.42 * face.iod],
    }[which];
    return `<defs>${soft('s', 0.06 * face.iod)}</defs><rect x="${area[0]}" y="${area[1]}" width="${area[2]}" height="${area[3]}" fill="#06060a" fill-opacity="${deep}" filter="url(#s)"/>`;
  };
const light =
  (gain: Rgb, gamma = 1) =>
  (value: number, channel: number): number =>
    255 * (Math.max(0, value) / 255) ** gamma * gain[channel]!;

const over =
  (...layers: ((face: Face) => string)[]) =>
  (face: Face): string =>
    layers.map((layer) => layer(face)).join('');

interface Variant {
  draw?: (face: Face) => string;
  /** Changes the light of the whole photo after the drawing: maps a channel value, 0..255. */
  expose?: (value: number, channel: number) => number;
}
const black: Rgb = [34, 28, 26];
const brown: Rgb = [74, 48, 34];
const grey: Rgb = [128, 126, 124];
const white: Rgb = [205, 203, 200];
const ginger: Rgb = [150, 78, 36];
const dark = light([0.62, 0.5, 0.42], 1.25);

export const uncovered: Readonly<Record<string, Variant>> = {
  'as it is': {},
  'shut mouth': { draw: shut(false) },
  'pale shut mouth': { draw: shut(true) },
  'black beard': { draw: beard(black) },
  'brown beard': { draw: beard(brown) },
  'grey beard': { draw: beard(grey) },
  'white beard': { draw: beard(white) },
  'ginger beard': { draw: beard(ginger) },
  stubble: { draw: beard(black, 500) },
  'black moustache': { draw: moustache(black) },
  'grey moustache': { draw: moustache(grey) },
  'black beard and moustache': { draw: over(beard(black), moustache(black)) },
  'grey beard and moustache': { draw: over(beard(grey), moustache(grey)) },
  'shut mouth, black beard': { draw: over(shut(false), beard(black), moustache(black)) },
  'shut mouth, brown beard': { draw: over(shut(true), beard(brown), moustache(brown)) },
  'shut mouth, grey beard': { draw: over(shut(true), beard(grey), moustache(grey)) },
  'shut mouth, white beard': { draw: over(shut(true), beard(white), moustache(white)) },
  'shut mouth, deep shade below': { draw: over(shut(true), shade('below', 0.75)) },
  'shut mouth, black beard, shade': {
    draw: over(shut(true), beard(black), moustache(black), shade('below', 0.4)),
  },
  'dark skin, shut mouth': { draw: shut(false), expose: dark },
  'dark skin, shut, black beard': { draw: over(shut(false), beard(black), moustache(black)), expose: dark },
  'dark skin': { expose: dark },
  'dark skin, black beard': { draw: beard(black), expose: dark },
  'dark skin, grey beard': { draw: beard(grey), expose: dark },
  'dark skin, shade below': { draw: shade('below', 0.5), expose: dark },
  'shade below': { draw: shade('below', 0.55) },
  'deep shade below': { draw: shade('below', 0.75) },
  'shade on a side': { draw: shade('side', 0.65) },
  'shade on the eyes': { draw: shade('eyes', 0.5) },
  'deep shade on the eyes': { draw: shade('eyes', 0.65) },
  'warm light': { expose: light([1.1, 0.85, 0.55]) },
  'cold light': { expose: light([0.75, 0.9, 1.15]) },
  'cold light, grey beard': { draw: beard(grey), expose: light([0.75, 0.9, 1.15]) },
  'flat light': { expose: (value) => 70 + 0.4 * value },
  'grey photo, black beard': { draw: beard(black) },
  'thin glasses, low': { draw: lowGlasses(0.02, '#4a4038') },
  'thick glasses, low': { draw: lowGlasses(0.055, '#141414') },
  'thick glasses, black beard': { draw: over(beard(black), lowGlasses(0.055, '#141414')) },
};
export const covered: Readonly<Record<string, Variant>> = {
  'blue mask': { draw: mask([120, 175, 215]) },
  'white mask': { draw: mask([225, 228, 230]) },
  'black mask': { draw: mask([30, 30, 34]) },
  'green mask': { draw: mask([70, 130, 90]) },
  'red mask': { draw: mask([170, 40, 45]) },
  'mask in flowers': { draw: flowered },
  'beige mask': { draw: mask(1.02) },
  'striped scarf': { draw: scarf([150, 40, 50], [225, 220, 200]) },
  'blue scarf': { draw: scarf([50, 70, 130], [60, 84, 150]) },
  'dark skin, blue mask': { draw: mask([120, 175, 215]), expose: dark },
  'dark skin, black mask': { draw: mask([30, 30, 34]), expose: dark },
  'white cup': { draw: cup([232, 230, 226]) },
  'blue cup': { draw: cup([60, 100, 170]) },
  hand: { draw: hand },
  'black glasses': { draw: darkGlasses('#101012') },
  'tinted glasses': { draw: darkGlasses('rgba(20,18,18,.8)') },
  'brown glasses': { draw: darkGlasses('rgba(48,28,16,.93)') },
};

/** Random numbers (mulberry32) from a seed, so that each run draws the same hairs. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function faceOn({ points, iod, roll }: FaceLandmarks, picture: Picture): Face {
  const at = (i: number): Point => [points[3 * i]!, points[3 * i + 1]!];
  const [c, s] = [iod * Math.cos(roll), iod * Math.sin(roll)];
  const tones = [50, 280, 101, 330].map((i) => {
    const [x, y] = at(i);
    const o = 3 * (Math.round(y) * picture.width + Math.round(x));
    return [picture.data[o]!, picture.data[o + 1]!, picture.data[o + 2]!] as const;
  });
  const mean = (channel: 0 | 1 | 2): number =>
    tones.reduce((sum, tone) => sum + tone[channel] / tones.length, 0);
  return {
    at,
    from(i, right, down) {
      const [x, y] = at(i);
      return [x + c * right - s * down, y + s * right + c * down];
    },
    iod,
    skin: [mean(0), mean(1), mean(2)],
    random: randomFrom(1),
  };
}

/** Draws a variant over the photo. */
export async function vary(
  picture: Picture,
  landmarks: FaceLandmarks,
  { draw, expose }: Variant,
  isGrey: boolean,
): Promise<Picture> {
  const { width, height } = picture;
  const raw = { width, height, channels: 3 } as const;
  let image = sharp(picture.data, { raw });
  if (draw) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${draw(faceOn(landmarks, picture))}</svg>`;
    image = sharp(
      await image
        .composite([{ input: Buffer.from(svg) }])
        .removeAlpha()
        .raw()
        .toBuffer(),
      { raw },
    );
  }
  const data = new Uint8Array(await image.raw().toBuffer());
  if (expose)
    for (let i = 0; i < data.length; i++)
      data[i] = Math.max(0, Math.min(255, Math.round(expose(data[i]!, i % 3))));
  if (isGrey)
    for (let i = 0; i < data.length; i += 3)
      data.fill(Math.round(0.3 * data[i]! + 0.59 * data[i + 1]! + 0.11 * data[i + 2]!), i, i + 3);
  return { data, width, height };
}
