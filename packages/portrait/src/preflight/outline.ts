import { pointsInWhole, wholePicture } from '@likeness/proto/crop.ts';
import { correctionsInPart, type HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import { contours } from 'd3-contour';
import { sureOutline } from '../appearance/photo_appearance.ts';
import type { OutlineReport } from '../contract/photo_report.ts';
import { project } from '../fit/face_fit.ts';
import { loadFaceNetworks } from '../landmarks/face_networks.ts';
import { decodePhoto, openPortrait } from '../photo/photo.ts';
import { cropToPicture } from '../photo/picture_sampling.ts';
import { prepareSilhouette, type Silhouette } from '../segment/silhouette.ts';
import { skullCentre } from '../skull/skull.ts';
import { landmark } from '../topology/landmark.ts';
import { lookCloser } from './closer_look.ts';

/** Where head and hair end with other corrections: the photo and its face are read already. */
export type Outliner = (corrections: Partial<HeadCorrections> | null) => OutlineReport;

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
  const cutSilhouette = prepareSilhouette(picture, landmarks, networks.segmentation);
  const middle = project(pose, skullCentre);
  const faceHeight =
    pose.scale * (fit.neutral[3 * landmark.foreheadTop + 1] - fit.neutral[3 * landmark.chin + 1]);
  const roll = Math.atan2(pose.y[0], pose.y[1]);
  const up = [Math.sin(roll), -Math.cos(roll)] as const;
  /** The crown's part of `buildHair`: away from the skull's middle, most straight above it. */
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
    const { score, hairUnclear, cutOff } = cut;
    return {
      rings: outlines(cut).map((ring) => ring.map(([x, y]) => cropToPicture(cut.map, x, y))),
      score,
      sure: score >= sureOutline && !hairUnclear,
      cutOff,
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

/** Points of a ring below which it is a speck; of the others every third is enough. */
const [minPoints, pointStep] = [16, 3];

/** The borders of what is at least half covered, crop pixels: holes too. */
function outlines({ mask, width, height }: Silhouette): Point[][] {
  const [{ coordinates }] = contours().size([width, height]).thresholds([128])([...mask]);
  return coordinates
    .flat()
    .filter((ring) => ring.length >= minPoints)
    .map((ring) => ring.filter((_, i) => i % pointStep === 0).map(([x, y]): Point => [x, y]));
}
