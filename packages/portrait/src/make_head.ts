import { createHash } from 'node:crypto';
import { wholePicture } from '@likeness/proto/crop.ts';
import type { HairStyle } from '@likeness/proto/heads/hair_style.ts';
import { correctionsInPart } from '@likeness/proto/heads/head_corrections.ts';
import { chosenOptions } from '@likeness/proto/heads/head_options.ts';
import { uncertainParts } from '@likeness/proto/heads/photo_findings.ts';
import { loadLightNetwork } from './albedo/light_network.ts';
import { photoAppearance } from './appearance/photo_appearance.ts';
import { buildHead } from './assembly/assemble_head.ts';
import { withGlasses } from './assembly/glasses_surface.ts';
import type { HeadModel } from './contract/head_model.ts';
import {
  engineVersion,
  type HeadReport,
  type HeadRequest,
  type HeadResult,
} from './contract/head_request.ts';
import type { FaceFit } from './fit/face_fit.ts';
import { withLearntDepth } from './fit/learnt_depth.ts';
import { photoPlane } from './fit/photo_plane.ts';
import { paintGlassesAway } from './glasses/paint_away.ts';
import { writeGlb } from './gltf/write_glb.ts';
import { applyHeadOptions } from './head_options/apply_head_options.ts';
import { resizedPlane } from './head_options/resized_head.ts';
import { loadFaceNetworks } from './landmarks/face_networks.ts';
import type { FaceLandmarks } from './landmarks/landmarks.ts';
import { multiViewAppearance } from './multi_view/multi_view_appearance.ts';
import { combineViews } from './multi_view/other_photos.ts';
import { decodePhoto, openPortrait, type Picture } from './photo/photo.ts';
import { lookCloser } from './preflight/closer_look.ts';
import { prepareSilhouette } from './segment/silhouette.ts';
import { StageCache } from './stage_cache.ts';

/** Stages in order with their usual share of the time; the contract's `headStages` names them too. */
const stageShares = {
  decode: 0.03,
  landmarks: 0.2,
  silhouette: 0.25,
  loft: 0.1,
  shapes: 0.12,
  bake: 0.1,
  hair: 0.05,
  parts: 0.1,
  write: 0.05,
};

const stageNames = Object.keys(stageShares);

/** A head before it is written, with what a measurement of it needs. */
export interface ModelledHead {
  readonly model: HeadModel;
  readonly report: HeadReport;
  readonly picture: Picture;
  readonly landmarks: FaceLandmarks;
  readonly fit: FaceFit;
}

/** The photo as it was read, with all that is known of its face. */
async function readPhoto({ photo, others, anyway }: HeadRequest, stage: (name: string) => void) {
  const opened = await openPortrait(photo);
  const whole = await decodePhoto(opened);
  stage('decode');
  const networks = await loadFaceNetworks();
  const { checked, picture, part } = await lookCloser(networks, opened, whole, anyway);
  const front = withLearntDepth(checked.fit);
  const around = others?.length ? await combineViews(networks, front, others) : undefined;
  return { checked, picture, part, around, fit: around?.fit ?? front };
}

/** The picture that the head is painted from, and the outline in it. */
async function outline(
  { corrections }: HeadRequest,
  { checked: { landmarks, warnings }, picture, part }: Awaited<ReturnType<typeof readPhoto>>,
  removesGlasses: boolean,
) {
  const { picture: bare, frame } = warnings.includes('glasses')
    ? paintGlassesAway(picture, landmarks, !removesGlasses)
    : { picture };
  const { segmentation } = await loadFaceNetworks();
  const inPart = corrections && correctionsInPart(corrections, part ?? wholePicture);
  const cut = prepareSilhouette(bare, landmarks, segmentation)(inPart);
  return { bare, frame, cut, corrections: inPart };
}

/** Choices that are made before the head is painted. */
interface Painting {
  readonly light: number | undefined;
  readonly hair: HairStyle | undefined;
}

/** The head with its hair and textures, before those options that change a finished head. */
async function paintHead(
  request: HeadRequest,
  { around, fit }: Awaited<ReturnType<typeof readPhoto>>,
  { bare, cut, corrections }: Awaited<ReturnType<typeof outline>>,
  { light, hair }: Painting,
  stage: (name: string) => void,
) {
  const { sex, eyelidType, preview } = request;
  const seen = photoAppearance({
    picture: bare,
    fit,
    cut,
    lightNetwork: await loadLightNetwork(),
    sex,
    ...(eyelidType ? { eyelidType } : {}),
    ...(corrections ? { corrections } : {}),
    ...(preview ? { preview } : {}),
    ...(light === undefined ? {} : { light }),
    ...(hair ? { hair } : {}),
  });
  const appearance = around ? multiViewAppearance(seen, fit, around.used) : seen;
  stage('silhouette');
  const built = buildHead({
    fit,
    appearance,
    sex,
    ...(eyelidType ? { eyelidType } : {}),
    extras: {},
    stage,
  });
  const { warnings, silhouette } = appearance;
  return { built, warnings, silhouette };
}

/**
 * Makes a head's model in this thread, from the photo's bytes; without writing the file.
 *
 * @param cache - Stages of earlier heads.
 */
export async function modelHead(request: HeadRequest, cache = new StageCache()): Promise<ModelledHead> {
  const stageMs: Record<string, number> = {};
  let last = performance.now();
  let done = 0;
  const stage = (name: string): void => {
    const now = performance.now();
    stageMs[name] = Math.round((now - last) * 10) / 10;
    last = now;
    done += stageShares[name as keyof typeof stageShares] ?? 0;
    const next = stageNames[stageNames.indexOf(name) + 1];
    if (next) request.onStage?.(next, Math.min(1, done));
  };
  request.onStage?.('decode', 0);
  const { sex, eyelidType, corrections, anyway, preview } = request;
  const read = await cache.get('read', [anyway], () => readPhoto(request, stage));
  const { checked, picture, part, around, fit } = read;
  const { landmarks, warnings } = checked;
  const overridden = checked.overridden.map(({ code }) => code);
  stage('landmarks');
  // Of a photo without glasses the head is the same, whatever was chosen of them.
  const hasGlasses = warnings.includes('glasses');
  const options = chosenOptions({ ...request.options, ...(hasGlasses ? {} : { glasses: undefined }) });
  const hair = request.hair ?? options?.hair;
  const removesGlasses = options?.glasses === 'removed';
  const outlined = await cache.get('outline', [anyway, corrections, removesGlasses], () =>
    outline(request, read, removesGlasses),
  );
  const { frame } = outlined;
  const painting = { light: options?.light, hair };
  const painted = await cache.get(
    'paint',
    [anyway, sex, eyelidType, corrections, removesGlasses, painting, preview],
    () => paintHead(request, read, outlined, painting, stage),
  );
  // Glasses that weren't found are still painted on the skin.
  const built = frame && !removesGlasses ? withGlasses(painted.built, fit, frame) : painted.built;
  // A corrected outline was looked at by a person.
  const uncertain = corrections
    ? []
    : uncertainParts.filter((part) => painted.warnings.includes(`uncertain_${part}`));
  const plane = photoPlane(fit.pose, built.neckBase ?? [0, 0, 0], { picture, part });
  const head = options ? applyHeadOptions(built, options, fit) : built;
  const model: HeadModel = {
    ...head,
    extras: {
      engine: engineVersion,
      sex,
      ...(eyelidType ? { eyelidType } : {}),
      ...(corrections ? { corrected: true } : {}),
      ...(options ? { options } : {}),
      ...(hair && hair !== 'seen' ? { hair } : {}),
      glasses: hasGlasses ? (removesGlasses && frame ? 'removed' : 'seen') : 'none',
      ...(overridden.length > 0 ? { overridden } : {}),
      ...(uncertain.length > 0 ? { uncertain } : {}),
      photo: options?.head === undefined ? plane : resizedPlane(plane, options.head),
    },
  };
  const report: HeadReport = {
    engine: engineVersion,
    landmarks: landmarks.points.length / 3,
    iodPx: Math.round(landmarks.iod * 10) / 10,
    yaw: Math.round(fit.pose.yaw * 10) / 10,
    pitch: Math.round(fit.pose.pitch * 10) / 10,
    roll: Math.round(fit.pose.roll * 10) / 10,
    silhouette: painted.silhouette,
    warnings: [...new Set([...warnings, ...painted.warnings])],
    overridden,
    ...(around && { photos: around.photos }),
    stageMs,
  };
  return { model, report, picture, landmarks, fit };
}

/** Makes a head in this thread. */
export async function makeHead(request: HeadRequest, cache?: StageCache): Promise<HeadResult> {
  const { model, report } = await modelHead(request, cache);
  const start = performance.now();
  const glb = await writeGlb(model);
  const stageMs = { ...report.stageMs, write: Math.round((performance.now() - start) * 10) / 10 };
  request.onStage?.('write', 1);
  return { glb, sha256: createHash('sha256').update(glb).digest('hex'), report: { ...report, stageMs } };
}
