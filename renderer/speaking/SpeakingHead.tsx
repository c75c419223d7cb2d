import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { Loader } from '@mantine/core';
import { Canvas, useFrame, useThree } from '@react-three/fiber';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, memo, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MathUtils, type PerspectiveCamera, Vector3 } from 'three';
import type { Settings } from '#contract';
import { useSettings } from '../base/studio-queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { CameraControls } from '../viewer/CameraControls.tsx';
import { frameLoopOf, Paced } from '../viewer/frame-rate.tsx';
import { LightRig } from '../viewer/light/LightRig.tsx';
import { disposeHead, HeadMissing, loadHead } from '../viewer/load-head.ts';
import { type DrivableHead, headToDrive } from './drivable-head.ts';
import type { FaceStyle } from './face-style.ts';
import { type Framing, frameOf } from './framing.ts';
import { useHeadDrives } from './head-drives.ts';
import classes from './SpeakingHead.module.css';
import { SoftwareStage } from './software/SoftwareStage.tsx';
import { drawsInSoftware } from './software/software-drawing.ts';

/** Vertical field of view in degrees, as in the viewer. */
const fieldOfView = 22;

/**
 * Pixels of the canvas to one of the page, a side, where a graphics
 * card draws: at least and at most, or always.
 */
const densities = { auto: [1, 1.5], low: 0.75, high: [1, 2] } satisfies Record<
  Settings['drawQuality'],
  number | [number, number]
>;

type Drawing = Pick<Settings, 'frameRate' | 'drawQuality'>;

export interface SpeakingHeadProps {
  url: string;
  /** Its id in the library, by which it is known what moves its shapes; empty: the default head. */
  modelId?: string;
  /** Asked at each drawing: the face now, or null for one at rest. */
  face: () => FaceState | null;
  style: () => FaceStyle;
  /** As in a mirror: left and right changed. */
  mirror: boolean;
  /** Part of the head in view, and direction of the view. @default 'shoulders' */
  framing?: Framing;
  /**
   * Told where the pointer is: radians to the head's own left, and
   * upwards, as the head sees it; null when it goes.
   */
  onPoint?: (at: { yaw: number; pitch: number } | null) => void;
  /** Background of the head; default: the stage's own. */
  background?: string;
  /** Told about each drawn frame, milliseconds since the last; null where nothing was to be drawn before. */
  onDrawn?: (milliseconds: number | null) => void;
}

/** A head that is driven: drawn at the display's rate, its face asked for each time. */
export const SpeakingHead = memo(function SpeakingHead(props: SpeakingHeadProps) {
  const { t } = useTranslation('live');
  const { frameRate, drawQuality } = useSettings();
  const own = useId();
  const { data, error } = useQuery({
    // Of its own: a head that is drawn twice at once has two scenes.
    queryKey: ['speaking-head', props.url, own],
    queryFn: async ({ signal }) => headToDrive(await loadHead(props.url, signal)),
    gcTime: 0,
  });
  useEffect(() => () => data && disposeHead(data.scene), [data]);
  const { data: drives } = useHeadDrives(props.modelId || null);
  useEffect(() => drives && data?.driver.setDrives(drives.rows), [data, drives]);
  const [lost, setLost] = useState(0);
  if (error)
    return (
      <EmptyState
        icon={null}
        title={t('stage.missingTitle')}
        text={error instanceof HeadMissing ? t('stage.missingText') : error.message}
      />
    );
  if (!data)
    return (
      <div className={classes.waiting} data-notice-area>
        <Loader size="sm" color="gray" role="status" aria-label={t('stage.loading')} />
      </div>
    );
  return (
    <Stage
      // A canvas keeps for life what smooths its edges.
      key={`${lost} ${drawQuality === 'low'}`}
      {...props}
      head={data}
      drawing={{ frameRate, drawQuality }}
      onLost={() => setLost((count) => count + 1)}
    />
  );
});

function Stage({
  head,
  mirror,
  framing = 'shoulders',
  onPoint,
  background,
  drawing,
  onLost,
  ...rest
}: SpeakingHeadProps & { head: DrivableHead; drawing: Drawing; onLost: () => void }) {
  const { t } = useTranslation('live');
  const controls = useRef<CameraControls>(null);
  /** All of the head, whatever part of it is framed: what moves and bounds of the camera go by. */
  const { distance } = frameOf('shoulders', head.measures, fieldOfView);
  const position = useMemo(() => {
    const { up, distance: away, azimuth } = frameOf(framing, head.measures, fieldOfView);
    // In the mirror the head's own left is on the other side.
    const side = mirror ? -1 : 1;
    return [side * away * Math.sin(azimuth), up, away * Math.cos(azimuth), 0, up, 0] as const;
  }, [framing, head, mirror]);
  const stand = (isMoved: boolean): void => {
    const isCalm = document.documentElement.dataset.motion === 'reduced';
    void controls.current?.setLookAt(...position, isMoved && !isCalm);
  };
  const latestStand = useRef(stand);
  latestStand.current = stand;
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it stands changes with the framing
  useEffect(() => latestStand.current(true), [position]);
  const takeControls = useCallback((made: CameraControls | null) => {
    controls.current = made;
    latestStand.current(false);
  }, []);
  const turn = (event: KeyboardEvent): void => {
    const step = Math.PI / 18;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => void controls.current?.rotate(-step, 0, false),
      ArrowRight: () => void controls.current?.rotate(step, 0, false),
      ArrowUp: () => void controls.current?.rotate(0, -step, false),
      ArrowDown: () => void controls.current?.rotate(0, step, false),
      '+': () => void controls.current?.dolly(distance * 0.1, false),
      '-': () => void controls.current?.dolly(-distance * 0.1, false),
      '0': () => stand(false),
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  return (
    <div
      className={classes.stage}
      data-notice-area
      style={background === undefined ? {} : { background }}
      data-software={drawsInSoftware || undefined}
      role="application"
      aria-label={t('stage.label')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows turn the head
      tabIndex={0}
      onKeyDown={turn}
      onPointerLeave={() => onPoint?.(null)}
    >
      <Canvas
        frameloop={frameLoopOf(drawing.frameRate)}
        dpr={drawsInSoftware ? 1 : densities[drawing.drawQuality]}
        // Each sample of a pixel is paid by the processor where it
        // draws: smooth edges would cost the frame rate.
        gl={{
          alpha: true,
          antialias: !drawsInSoftware && drawing.drawQuality !== 'low',
          powerPreference: 'high-performance',
        }}
        camera={{
          fov: fieldOfView,
          near: distance / 50,
          far: distance * 20,
          position: [position[0], position[1], position[2]],
        }}
        onCreated={({ gl }) => gl.domElement.addEventListener('webglcontextlost', onLost, { once: true })}
      >
        <Paced rate={drawing.frameRate} />
        {/* Lamps stand in the mirror, too. Mirroring the page's picture instead costs a second drawing of all of it. */}
        <group scale-x={mirror ? -1 : 1}>
          <LightRig name="studio" reflections={!drawsInSoftware} />
          <DrivenHead head={head} quality={drawing.drawQuality} {...rest} />
        </group>
        {onPoint && <Pointer mirror={mirror} onPoint={onPoint} />}
        <CameraControls
          ref={takeControls}
          minDistance={distance * 0.2}
          maxDistance={distance * 3}
          smoothTime={0.12}
          draggingSmoothTime={0.05}
        />
      </Canvas>
    </div>
  );
}

/** Says where the pointer is, seen from the head: half the way between it and the camera. */
function Pointer({
  mirror,
  onPoint,
}: {
  mirror: boolean;
  onPoint: NonNullable<SpeakingHeadProps['onPoint']>;
}) {
  const { gl, camera } = useThree();
  useEffect(() => {
    const stage = gl.domElement.closest('[role="application"]');
    const onMove = (event: Event): void => {
      if (!stage || !(event instanceof PointerEvent)) return;
      const { left, top, width, height } = stage.getBoundingClientRect();
      // What is drawn may be a part of the stage only; the eye sees all of it.
      const eye = (camera as PerspectiveCamera).clone();
      eye.clearViewOffset();
      const ray = new Vector3(
        ((event.clientX - left) / width) * 2 - 1,
        1 - ((event.clientY - top) / height) * 2,
        0.5,
      ).unproject(eye);
      ray
        .sub(eye.position)
        .setLength(eye.position.length() / 2)
        .add(eye.position);
      const yaw = Math.atan2(mirror ? -ray.x : ray.x, ray.z);
      const pitch = Math.atan2(ray.y, Math.hypot(ray.x, ray.z));
      onPoint({
        yaw: MathUtils.clamp(yaw, -maxYaw, maxYaw),
        pitch: MathUtils.clamp(pitch, -maxPitch, maxPitch),
      });
    };
    stage?.addEventListener('pointermove', onMove);
    return () => {
      stage?.removeEventListener('pointermove', onMove);
      onPoint(null);
    };
  }, [gl, camera, mirror, onPoint]);
  return null;
}
/** Radians that a head looks aside and up at most. */
const maxYaw = 0.6;
const maxPitch = 0.4;

function DrivenHead({
  head,
  face,
  style,
  onDrawn,
  quality,
}: Pick<SpeakingHeadProps, 'face' | 'style' | 'onDrawn'> & {
  head: DrivableHead;
  quality: Drawing['drawQuality'];
}) {
  const drive = (seconds: number): void => {
    const now = face();
    if (now) head.driver.apply(now, style(), seconds);
    else head.driver.rest();
  };
  return (
    <>
      <primitive object={head.scene} position={head.middle.clone().negate()} />
      {drawsInSoftware ? (
        <SoftwareStage
          scene={head.scene}
          moved={head.driver.head}
          drive={drive}
          quality={quality}
          onDrawn={onDrawn}
        />
      ) : (
        <EachFrame drive={drive} onDrawn={onDrawn} />
      )}
    </>
  );
}

/** Drives and lets draw at the display's rate. */
function EachFrame(props: {
  drive: (seconds: number) => void;
  onDrawn?: ((milliseconds: number | null) => void) | undefined;
}) {
  const { drive, onDrawn } = props;
  const { gl } = useThree();
  useEffect(() => {
    gl.domElement.dataset.speaking = 'true';
  }, [gl]);
  useFrame((_, seconds) => {
    drive(seconds);
    onDrawn?.(seconds * 1000);
  });
  return null;
}
