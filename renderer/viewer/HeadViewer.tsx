import { ActionIcon, Button, Loader, SegmentedControl, Tooltip } from '@mantine/core';
import { CameraControls } from '@react-three/drei';
import { Canvas } from '@react-three/fiber';
import { IconFocusCentered } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  Component,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyPlace } from '../ui/EmptyPlace.tsx';
import { Relief } from '../ui/Relief.tsx';
import classes from './HeadViewer.module.css';
import { LightRig, type LightRigName, lightRigs } from './LightRig.tsx';
import { disposeHead, HeadMissing, type LoadedHead, loadHead } from './load-head.ts';

/** Vertical field of view in degrees: that of a portrait lens (85 mm on a 24 mm high frame is 16°), a little wider. */
const fieldOfView = 22;
/** Share of the height that the head fills. */
const fill = 0.78;

/** Radians around and over the head, by key. */
const turns = new Map<string, readonly [number, number]>([
  ['ArrowLeft', [-Math.PI / 12, 0]],
  ['ArrowRight', [Math.PI / 12, 0]],
  ['ArrowUp', [0, -Math.PI / 24]],
  ['ArrowDown', [0, Math.PI / 24]],
]);
/** Share of the framing distance that the camera moves, by key. */
const zooms = new Map([
  ['+', 0.12],
  ['=', 0.12],
  ['-', -0.12],
]);

const canDraw = (): boolean => document.createElement('canvas').getContext('webgl2') !== null;

/** A head, large: turned by mouse or arrows, in light made here. Draws only when something changes. */
export function HeadViewer({ url }: { url: string }) {
  const { t } = useTranslation('viewer');
  const [drawable] = useState(canDraw);
  const { data, error, isPending } = useQuery({
    queryKey: ['head', url],
    queryFn: ({ signal }) => loadHead(url, signal),
    enabled: drawable,
    gcTime: 0,
  });
  useEffect(() => () => data && disposeHead(data.scene), [data]);

  if (!drawable) return <Empty title={t('noWebglTitle')} text={t('noWebglText')} />;
  if (error instanceof HeadMissing) return <Empty title={t('missingTitle')} text={t('missingText')} />;
  if (error) return <Empty title={t('failedTitle')} text={error.message} />;
  if (isPending)
    return (
      <div className={classes.waiting}>
        <Loader size="sm" color="gray" aria-label={t('loading')} />
      </div>
    );
  return (
    <DrawingBoundary>
      <Stage head={data} />
    </DrawingBoundary>
  );
}

function Empty({ title, text }: { title: string; text: string }) {
  return (
    <div className={classes.empty}>
      <div className={classes.relief}>
        <Relief lines={70} />
      </div>
      <p className={classes.emptyTitle}>{title}</p>
      <p className={classes.emptyText}>{text}</p>
    </div>
  );
}

function Stage({ head }: { head: LoadedHead }) {
  const { t } = useTranslation('viewer');
  const controls = useRef<CameraControls>(null);
  const [light, setLight] = useState<LightRigName>('studio');
  const [lost, setLost] = useState(false);
  const distance = head.size.y / fill / 2 / Math.tan(((fieldOfView / 2) * Math.PI) / 180);

  const smoothly = (): boolean => document.documentElement.dataset.motion !== 'reduced';
  const showAll = (): void => {
    controls.current
      ?.setLookAt(distance * 0.34, 0, distance * 0.94, 0, 0, 0, smoothly())
      .catch(() => undefined);
  };
  const onKey = (event: KeyboardEvent): void => {
    const turn = turns.get(event.key);
    const zoom = zooms.get(event.key);
    if (event.ctrlKey || event.metaKey || event.altKey || !(turn || zoom || event.key === '0')) return;
    event.preventDefault();
    event.stopPropagation();
    if (turn) controls.current?.rotate(...turn, smoothly()).catch(() => undefined);
    else if (zoom) controls.current?.dolly(distance * zoom, smoothly()).catch(() => undefined);
    else showAll();
  };

  if (lost)
    return (
      <EmptyPlace icon={null} title={t('lostTitle')} text={t('lostText')}>
        <Button onClick={() => setLost(false)}>{t('again')}</Button>
      </EmptyPlace>
    );
  return (
    <div className={classes.stage}>
      <div
        className={classes.canvas}
        role="application"
        aria-label={t('label')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows turn the head
        tabIndex={0}
        onKeyDown={onKey}
      >
        <Canvas
          frameloop="demand"
          dpr={[1, 2]}
          camera={{
            fov: fieldOfView,
            near: distance / 50,
            far: distance * 20,
            position: [distance * 0.34, 0, distance * 0.94],
          }}
          onCreated={({ gl }) => {
            gl.domElement.addEventListener('webglcontextlost', () => setLost(true), { once: true });
          }}
        >
          <LightRig name={light} />
          <primitive object={head.scene} position={head.middle.clone().negate()} />
          <Controls controls={controls} distance={distance} />
        </Canvas>
      </div>
      <div className={classes.tools}>
        <SegmentedControl
          aria-label={t('light')}
          value={light}
          data={lightRigs.map((value) => ({ value, label: t(`lights.${value}`) }))}
          onChange={setLight}
        />
        <Tooltip label={`${t('frame')}  0`}>
          <ActionIcon variant="default" size={30} aria-label={t('frame')} onClick={showAll}>
            <IconFocusCentered size={17} />
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  );
}

function Controls({ controls, distance }: { controls: RefObject<CameraControls | null>; distance: number }) {
  return (
    <CameraControls
      ref={controls}
      minDistance={distance * 0.25}
      maxDistance={distance * 3}
      minPolarAngle={0.35}
      maxPolarAngle={Math.PI - 0.5}
      smoothTime={0.18}
      draggingSmoothTime={0.06}
    />
  );
}

/** A driver's refusal must not take the place around the view with it. */
class DrawingBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(thrown: unknown): { error: Error } {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render(): ReactNode {
    return this.state.error ? <Refused error={this.state.error} /> : this.props.children;
  }
}

function Refused({ error }: { error: Error }) {
  const { t } = useTranslation('viewer');
  return <Empty title={t('failedTitle')} text={error.message} />;
}
