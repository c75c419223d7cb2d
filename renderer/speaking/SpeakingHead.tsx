import { Loader } from '@mantine/core';
import { CameraControls } from '@react-three/drei';
import { Canvas, useFrame, useThree } from '@react-three/fiber';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyPlace } from '../ui/EmptyPlace.tsx';
import { LightRig } from '../viewer/LightRig.tsx';
import { disposeHead, HeadMissing, type LoadedHead, loadHead } from '../viewer/load-head.ts';
import { FaceDriver, type FaceStyle } from './face-driver.ts';
import type { FaceState } from './face-state.ts';
import { shadeMouth } from './mouth-shade.ts';
import { SoftwareStage } from './SoftwareStage.tsx';
import classes from './SpeakingHead.module.css';
import { drawsInSoftware, simplifyForSoftware } from './software-drawing.ts';

/** Vertical field of view in degrees, as in the viewer. */
const fieldOfView = 22;
/** Share of the height that the head fills. */
const fill = 0.86;

type DrivableHead = LoadedHead & { driver: FaceDriver };

export interface SpeakingHeadProps {
  url: string;
  /** Asked at each drawing: the face now, or null for one at rest. */
  face: () => FaceState | null;
  style: () => FaceStyle;
  /** As in a mirror: left and right changed. */
  mirror: boolean;
  /** What is behind the head; the stage's own where nothing is given. */
  background?: string;
  /** Told about each drawn frame, milliseconds since the last. */
  onDrawn?: (milliseconds: number) => void;
}

/** A head that is driven: drawn at the display's rate, its face asked for each time. */
export function SpeakingHead(props: SpeakingHeadProps) {
  const { t } = useTranslation('live');
  const { data, error } = useQuery({
    queryKey: ['speaking-head', props.url],
    queryFn: async ({ signal }) => {
      const head = await loadHead(props.url, signal);
      shadeMouth(head.scene);
      if (drawsInSoftware) await simplifyForSoftware(head.scene);
      return { ...head, driver: new FaceDriver(head.scene) };
    },
    gcTime: 0,
  });
  useEffect(() => () => data && disposeHead(data.scene), [data]);
  const [lost, setLost] = useState(0);
  if (error)
    return (
      <EmptyPlace
        icon={null}
        title={t('stage.missingTitle')}
        text={error instanceof HeadMissing ? t('stage.missingText') : error.message}
      />
    );
  if (!data)
    return (
      <div className={classes.waiting}>
        <Loader size="sm" color="gray" aria-label={t('stage.loading')} />
      </div>
    );
  return <Stage key={lost} {...props} head={data} onLost={() => setLost((count) => count + 1)} />;
}

function Stage({
  head,
  mirror,
  background,
  onLost,
  ...rest
}: SpeakingHeadProps & { head: DrivableHead; onLost: () => void }) {
  const { t } = useTranslation('live');
  const controls = useRef<CameraControls>(null);
  const distance = head.size.y / fill / 2 / Math.tan(((fieldOfView / 2) * Math.PI) / 180);
  const turn = (event: KeyboardEvent): void => {
    const step = Math.PI / 18;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => void controls.current?.rotate(-step, 0, false),
      ArrowRight: () => void controls.current?.rotate(step, 0, false),
      ArrowUp: () => void controls.current?.rotate(0, -step, false),
      ArrowDown: () => void controls.current?.rotate(0, step, false),
      '+': () => void controls.current?.dolly(distance * 0.1, false),
      '-': () => void controls.current?.dolly(-distance * 0.1, false),
      '0': () => void controls.current?.setLookAt(0, 0, distance, 0, 0, 0, false),
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  return (
    <div
      className={classes.stage}
      style={background === undefined ? {} : { background }}
      data-software={drawsInSoftware || undefined}
      role="application"
      aria-label={t('stage.label')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows turn the head
      tabIndex={0}
      onKeyDown={turn}
    >
      <Canvas
        dpr={drawsInSoftware ? 1 : [1, 1.5]}
        // Each sample of a pixel is paid by the processor where it draws: smooth edges would cost the frame rate.
        gl={{ alpha: true, antialias: !drawsInSoftware, powerPreference: 'high-performance' }}
        camera={{ fov: fieldOfView, near: distance / 50, far: distance * 20, position: [0, 0, distance] }}
        onCreated={({ gl }) => gl.domElement.addEventListener('webglcontextlost', onLost, { once: true })}
      >
        {/* Lamps stand in the mirror, too. Mirroring the page's picture instead costs a second drawing of all of it. */}
        <group scale-x={mirror ? -1 : 1}>
          <LightRig name="studio" reflections={!drawsInSoftware} />
          <DrivenHead head={head} {...rest} />
        </group>
        <CameraControls
          ref={controls}
          minDistance={distance * 0.25}
          maxDistance={distance * 3}
          smoothTime={0.12}
          draggingSmoothTime={0.05}
        />
      </Canvas>
    </div>
  );
}

function DrivenHead({
  head,
  face,
  style,
  onDrawn,
}: Pick<SpeakingHeadProps, 'face' | 'style' | 'onDrawn'> & { head: DrivableHead }) {
  const drive = (seconds: number): void => {
    const now = face();
    if (now) head.driver.apply(now, style(), seconds);
    else head.driver.rest();
  };
  return (
    <>
      <primitive object={head.scene} position={head.middle.clone().negate()} />
      {drawsInSoftware ? (
        <SoftwareStage scene={head.scene} moved={head.driver.head} drive={drive} onDrawn={onDrawn} />
      ) : (
        <EachFrame drive={drive} onDrawn={onDrawn} />
      )}
    </>
  );
}

/** Drives and lets draw at the display's rate. */
function EachFrame(props: {
  drive: (seconds: number) => void;
  onDrawn?: ((milliseconds: number) => void) | undefined;
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
