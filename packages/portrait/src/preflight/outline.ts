import { pointsInWhole, wholePicture } from '@likeness/proto/crop.ts';
import { correctionsInPart, type HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import { project } from '../fit/face_fit.ts';
import { loadFaceNetworks } from '../landmarks/face_networks.ts';
import { prepareSilhouette } from '../matte/silhouette.ts';
import { decodePhoto, openPortrait } from '../photo/photo.ts';
import { cropToPicture } from '../photo/picture_sampling.ts';
import { skullCentre } from '../skull/skull.ts';
import { landmark } from '../topology/landmark.ts';
import { lookCloser } from './closer_look.ts';

/** Where the engine sees head and hair end, as a head of this photo would be made. */
export interface PortraitOutline {
  /** Closed rings, x, y, x, y … in parts of the photo; several where pieces are apart or holed. */
  readonly rings: readonly (readonly number[])[];
  /** How sure it is, 0..1; below `sureOutline` a person should look. */
  readonly score: number;
  /** Whether it is unclear if there is hair. */
  readonly hairUnclear: boolean;
  /** Whether hair goes on beyond the edge of the photo. */
  readonly cutOff: boolean;
}

/** Draws the outline again with other corrections: the photo and its face are read already. */
export type Outliner = (corrections: Partial<HeadCorrections> | undefined) => PortraitOutline;

/**
 * Reads a photo for its outline, so that each stroke of a brush can be answered at once.
 *
 * @throws PortraitError as `checkFace` and `openPortrait` do
 */
export async function prepareOutline(photo: Uint8Array | string): Promise<Outliner> {
  const opened = await openPortrait(photo);
  // A person who edits the outline has accepted the photo, so only photos without a usable face are refused
  // here.
  const networks = await loadFaceNetworks();
  const { checked, picture, part } = await lookCloser(networks, opened, await decodePhoto(opened), true);
  const { landmarks, fit } = checked;
  const { pose } = fit;
  const cutSilhouette = prepareSilhouette(picture, landmarks, pose.yaw, networks.segmentation);
  const middle = project(pose, skullCentre);
  const faceHeight =
    pose.scale * (fit.neutral[3 * landmark.foreheadTop + 1] - fit.neutral[3 * landmark.chin + 1]);
  const roll = Math.atan2(pose.y[0], pose.y[1]);
  const up = [Math.sin(roll), -Math.cos(roll)] as const;
  /** The crown's part of `growHair`: away from the skull's middle, most straight above it. */
  const raise = (x: number, y: number, crown: number): [number, number] => {
    const [dx, dy] = [x - middle[0], y - middle[1]];
    const distance = Math.hypot(dx, dy);
    const sine = distance > 0 ? (dx * up[0] + dy * up[1]) / distance : 0;
    if (sine <= 0) return [x, y];
    const by = (crown * faceHeight * sine * sine) / distance;
    return [x + dx * by, y + dy * by];
  };
  const cutOut = (strokes: HeadCorrections['strokes'] | undefined) => {
    const cut = cutSilhouette(strokes && { strokes });
    return {
      rings: traceRings(cut.mask, cut.width, cut.height)
        .map((ring) => thin(smooth(ring), 0.35))
        .filter((ring) => ring.length >= 3)
        .map((ring) => ring.map(([x, y]) => cropToPicture(cut.map, x, y))),
      score: cut.score,
      hairUnclear: cut.hairUnclear,
      cutOff: cut.cutOff,
    };
  };
  // The crown is raised without cutting again.
  let last: { strokes: string; cut: ReturnType<typeof cutOut> } | undefined;
  return (whole) => {
    const corrections = whole && correctionsInPart(whole, part ?? wholePicture);
    const strokes = JSON.stringify(corrections?.strokes ?? []);
    if (last?.strokes !== strokes) last = { strokes, cut: cutOut(corrections?.strokes) };
    const { rings, ...seen } = last.cut;
    const crown = corrections?.crown ?? 0;
    const placed = rings.map((ring) => {
      const raised = ring.flatMap((point) => {
        const [x, y] = raise(...point, crown);
        return [x / picture.width, y / picture.height];
      });
      return pointsInWhole(raised, part ?? wholePicture).map(round);
    });
    return { rings: placed, ...seen };
  };
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4;

type Point = readonly [number, number];

/** The borders of what is at least half covered, along the pixels' edges, inside to the right. */
function traceRings(mask: Uint8Array, width: number, height: number): Point[][] {
  const inside = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && mask[y * width + x] >= 128;
  const key = (x: number, y: number): number => y * (width + 1) + x;
  const edges = new Map<number, number[]>();
  const add = (x0: number, y0: number, x1: number, y1: number): void => {
    const from = key(x0, y0);
    edges.set(from, [...(edges.get(from) ?? []), key(x1, y1)]);
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!inside(x, y)) continue;
      if (!inside(x, y - 1)) add(x, y, x + 1, y);
      if (!inside(x + 1, y)) add(x + 1, y, x + 1, y + 1);
      if (!inside(x, y + 1)) add(x + 1, y + 1, x, y + 1);
      if (!inside(x - 1, y)) add(x, y + 1, x, y);
    }
  }
  const rings: Point[][] = [];
  for (const start of edges.keys()) {
    const ring: Point[] = [];
    for (let at = start, next = edges.get(at)?.pop(); next !== undefined; next = edges.get(at)?.pop()) {
      ring.push([at % (width + 1), Math.floor(at / (width + 1))]);
      at = next;
    }
    // Ignore outlines of a few pixels.
    if (ring.length >= 16) rings.push(ring);
  }
  return rings;
}

/** Smooths the pixel steps of a ring. */
function smooth(ring: readonly Point[]): Point[] {
  let points = ring.slice();
  for (let turn = 0; turn < 3; turn++) {
    points = points.map(([x, y], i) => {
      const [px, py] = points[(i + points.length - 1) % points.length];
      const [nx, ny] = points[(i + 1) % points.length];
      return [(px + 2 * x + nx) / 4, (py + 2 * y + ny) / 4];
    });
  }
  return points;
}

/** Leaves out points of a ring that lie within `most` of the line between others (Douglas, Peucker 1973). */
function thin(ring: readonly Point[], most: number): Point[] {
  const keep = new Uint8Array(ring.length);
  const half = ring.length >> 1;
  const spans: [number, number][] = [
    [0, half],
    [half, ring.length],
  ];
  keep[0] = 1;
  keep[half] = 1;
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span;
    const [ax, ay] = ring[from];
    const [bx, by] = ring[to % ring.length];
    const length = Math.hypot(bx - ax, by - ay);
    let furthest = -1;
    let distance = most;
    for (let i = from + 1; i < to; i++) {
      const [x, y] = ring[i];
      const away =
        length > 0
          ? Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length
          : Math.hypot(x - ax, y - ay);
      if (away > distance) {
        furthest = i;
        distance = away;
      }
    }
    if (furthest < 0) continue;
    keep[furthest] = 1;
    spans.push([from, furthest], [furthest, to]);
  }
  return ring.filter((_, i) => keep[i]);
}
