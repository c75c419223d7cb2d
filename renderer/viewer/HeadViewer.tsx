import { Button, Loader } from '@mantine/core';
import { CameraControls } from '@react-three/drei';
import { Canvas, invalidate, useFrame, useThree } from '@react-three/fiber';
import { useQuery } from '@tanstack/react-query';
import {
  Component,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { PerspectiveCamera, Spherical, Vector3 } from 'three';
import { useActions } from '../base/actions.ts';
import { attempt, tell } from '../base/notices.tsx';
import { useFigures } from '../base/number-format.ts';
import { useSettings } from '../base/studio-queries.ts';
import { downloadBlob } from '../ui/download.ts';
import { EmptyPlace } from '../ui/EmptyPlace.tsx';
import { Relief } from '../ui/Relief.tsx';
import { BlendedPhoto, type PhotoPart } from './BlendedPhoto.tsx';
import { frameLoopOf, Paced } from './frame-rate.tsx';
import classes from './HeadViewer.module.css';
import { LightRig } from './LightRig.tsx';
import { disposeHead, HeadMissing, type LoadedHead, loadHead } from './load-head.ts';
import { lenses, lookNow, paintBackground, type Shading, type Side, useLook } from './look.ts';
import { type Morph, morphsOf } from './morphs.ts';
import { drawEdges, shade } from './shading.ts';
import { ViewerTools } from './ViewerTools.tsx';
import type { ViewLink } from './view-link.ts';
import { type ViewerAt, viewerActions } from './viewer-actions.ts';

/** So long a lens that nearly nothing is left of perspective: a photo lies over the head without any. */
const longLens = 3;
/** Share of the height that the head fills. */
const fill = 0.78;
/** From where a head is first looked at. */
const threeQuarters = new Vector3(0.34, 0, 0.94).normalize();
/** Right and left as one sees them who faces the head. */
const directions: Record<Side, Vector3> = {
  front: new Vector3(0, 0, 1),
  back: new Vector3(0, 0, -1),
  right: new Vector3(1, 0, 0),
  left: new Vector3(-1, 0, 0),
  top: new Vector3(0, 1, 0),
  below: new Vector3(0, -1, 0),
};
/** Radians a second: a turn in twelve seconds. */
const turntableSpeed = (2 * Math.PI) / 12;

/** Pixels of the canvas to one of the page, a side: at least and at most, or always. */
const densities = { auto: [1, 2], low: 0.75, high: [1, 3] } satisfies Record<
  string,
  number | [number, number]
>;

const smoothly = (): boolean => document.documentElement.dataset.motion !== 'reduced';

const canDraw = (): boolean => document.createElement('canvas').getContext('webgl2') !== null;

/** A head on the stage, for those around it: its shapes, and a way to have it drawn again. */
export interface StagedHead {
  readonly morphs: readonly Morph[];
  /** Draws the head with what was set. */
  redraw(): void;
}

interface ViewerProps {
  url: string;
  /** The photo that the head was made from, to compare. */
  photoUrl?: string | undefined;
  /** The part of it that was used; default: all. */
  photoPart?: PhotoPart | undefined;
  /** For the file name of a picture. */
  name?: string;
  /** All tools, or only light and framing. */
  tools?: 'all' | 'few';
  /** Called when a head is there, and with null when it goes. */
  onHead?: ((head: StagedHead | null) => void) | undefined;
  /** Turned and moved together with the others of it, as one of several. */
  link?: ViewLink | undefined;
  /** Of several the one that keys and tools are for; default: it is alone. */
  main?: boolean;
}

/** A head, large: turned by mouse or arrows, in light made here. Draws only when something changes. */
export function HeadViewer(props: ViewerProps) {
  const { url } = props;
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
        <Loader size="sm" color="gray" role="status" aria-label={t('loading')} />
      </div>
    );
  return (
    <DrawingBoundary>
      <Stage {...props} head={data} />
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

function Stage(props: ViewerProps & { head: LoadedHead }) {
  const { head, photoUrl, name = 'head', tools = 'few', onHead, link, main = true } = props;
  const { t } = useTranslation('viewer');
  const figures = useFigures();
  const controls = useRef<CameraControls>(null);
  const stage = useRef<HTMLDivElement>(null);
  const draw = useRef<() => HTMLCanvasElement>(undefined);
  const frame = useRef<() => void>(undefined);
  const look = useLook();
  const [lost, setLost] = useState(false);
  const all = tools === 'all';
  const turning = all && look.turning;
  const { frameRate, drawQuality } = useSettings();
  const photo = all && photoUrl ? look.photo : 'off';
  const plane = photo === 'blended' ? head.photo : null;
  const lens = plane ? longLens : all ? look.lens : lenses.usual;
  // Beside its photo the head looks as the person in it did, so that like is compared with like.
  const towards =
    photo === 'beside' ? (head.photo?.towards ?? directions.front) : (plane?.towards ?? threeQuarters);

  const shoot = (): void =>
    attempt(async () => {
      const canvas = draw.current?.();
      if (!canvas) return;
      const picture = document.createElement('canvas');
      picture.width = canvas.width;
      picture.height = canvas.height;
      const brush = picture.getContext('2d')!;
      paintBackground(brush, lookNow());
      brush.drawImage(canvas, 0, 0);
      const blob = await new Promise<Blob | null>((resolve) => {
        picture.toBlob(resolve, 'image/png');
      });
      if (!blob) throw new Error(t('noPicture'));
      const fileName = `${name}.png`;
      downloadBlob(fileName, blob);
      tell({
        level: 'success',
        title: t('saved', { name: fileName }),
        text: t('savedText', {
          pixels: `${figures.number(picture.width)} × ${figures.number(picture.height)}`,
          bytes: figures.bytes(blob.size),
        }),
      });
    });
  const fullscreen = (): void =>
    attempt(() =>
      document.fullscreenElement ? document.exitFullscreen() : stage.current!.requestFullscreen(),
    );

  /** By key or button, not by the mouse on this very view. */
  const move = (by: (camera: CameraControls) => Promise<unknown>): void => {
    const camera = controls.current;
    if (!camera) return;
    link?.lead(camera);
    by(camera).catch(() => undefined);
    invalidate(); // a step without a transition asks for no frame of its own
  };
  const at: ViewerAt = {
    all,
    hasPhoto: Boolean(photoUrl),
    frame: () => {
      link?.lead(controls.current);
      frame.current?.();
    },
    zoom: (by) => move((camera) => camera.dolly(camera.distance * by, smoothly())),
    lookFrom: (side) =>
      move((camera) => {
        const { x, y, z } = directions[side].clone().multiplyScalar(camera.distance);
        camera.normalizeRotations();
        return camera.setLookAt(x, y, z, 0, 0, 0, smoothly());
      }),
    lookFromBehind: () => move((camera) => camera.rotate(Math.PI, 0, smoothly())),
    shoot,
    fullscreen,
  };
  useActions('app:shortcuts.viewer', viewerActions, main && !lost ? at : null);

  /** Arrows only: they belong to whatever has the focus, all other keys to the page. */
  const onKey = (event: KeyboardEvent): void => {
    const turn = Math.PI / 12;
    const turns: Readonly<Record<string, readonly [azimuth: number, polar: number]>> = {
      ArrowLeft: [-turn, 0],
      ArrowRight: [turn, 0],
      ArrowUp: [0, -turn / 2],
      ArrowDown: [0, turn / 2],
    };
    const by = turns[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    move((camera) => camera.rotate(...by, smoothly()));
  };

  if (lost)
    return (
      <EmptyPlace icon={null} title={t('lostTitle')} text={t('lostText')}>
        <Button onClick={() => setLost(false)}>{t('again')}</Button>
      </EmptyPlace>
    );
  return (
    <div
      ref={stage}
      className={classes.stage}
      data-background={all ? look.background : 'stage'}
      data-photo={photo}
      data-linked={link !== undefined}
      style={all && look.background === 'own' ? { background: look.ownColour } : undefined}
    >
      {photo === 'beside' && (
        <figure className={classes.beside}>
          <img src={photoUrl} alt={t('photo')} />
        </figure>
      )}
      <div className={classes.view}>
        <div
          className={classes.canvas}
          role="application"
          aria-label={all ? t('labelAll') : t('label')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows turn the head
          tabIndex={0}
          onKeyDown={onKey}
        >
          <Canvas
            // A canvas keeps for life what smooths its edges.
            key={String(drawQuality === 'low')}
            frameloop={turning ? frameLoopOf(frameRate) : 'demand'}
            dpr={densities[drawQuality]}
            gl={{ antialias: drawQuality !== 'low' }}
            camera={{ fov: lens }}
            onCreated={({ gl }) => {
              gl.domElement.addEventListener('webglcontextlost', () => setLost(true), { once: true });
            }}
          >
            <LightRig name={look.light} turn={all ? look.lightTurn : 0} />
            <group position={head.middle.clone().negate()}>
              <Head
                head={head}
                wireframe={all && look.wireframe}
                shading={all ? look.shading : 'lit'}
                draw={draw}
                onHead={onHead}
              />
              {plane && photoUrl && (
                <BlendedPhoto url={photoUrl} plane={plane} part={props.photoPart} opacity={look.blend} />
              )}
            </group>
            <Framing
              size={head.size}
              fieldOfView={lens}
              towards={towards}
              controls={controls}
              frame={frame}
              link={link}
            />
            {turning && <Turntable controls={controls} />}
            {turning && <Paced rate={frameRate} />}
          </Canvas>
        </div>
        {photo === 'blended' && !plane && (
          <img className={classes.blended} src={photoUrl} alt={t('photo')} style={{ opacity: look.blend }} />
        )}
      </div>
      {main && <ViewerTools at={at} aligned={plane !== null} />}
    </div>
  );
}

function Head(props: {
  head: LoadedHead;
  wireframe: boolean;
  shading: Shading;
  draw: RefObject<(() => HTMLCanvasElement) | undefined>;
  onHead: ((head: StagedHead | null) => void) | undefined;
}) {
  const { head, wireframe, shading, draw, onHead } = props;
  const { gl, scene, camera, invalidate } = useThree();
  const morphs = useMemo(() => morphsOf(head.scene), [head]);
  useEffect(() => {
    const end = shade(head.scene, shading);
    invalidate();
    return end;
  }, [head, shading, invalidate]);
  useEffect(() => {
    invalidate();
    if (!wireframe) return;
    const end = drawEdges(head.scene);
    return () => {
      end();
      invalidate();
    };
  }, [head, wireframe, invalidate]);
  useEffect(() => {
    // A picture is read right after it is drawn: the browser clears the canvas once it has shown it.
    draw.current = () => {
      gl.render(scene, camera);
      return gl.domElement;
    };
  }, [draw, gl, scene, camera]);
  useEffect(() => {
    onHead?.({ morphs, redraw: () => invalidate() });
    return () => onHead?.(null);
  }, [onHead, morphs, invalidate]);
  return <primitive object={head.scene} />;
}

/** Keeps the head as large as it was through another lens or in a view of another shape; `frame` shows all of it. */
function Framing(props: {
  /** Of the head, metres. */
  size: Vector3;
  /** Degrees, vertical. */
  fieldOfView: number;
  /** From where it is looked at first; a unit vector. */
  towards: Vector3;
  controls: RefObject<CameraControls | null>;
  frame: RefObject<(() => void) | undefined>;
  link: ViewLink | undefined;
}) {
  const { size, fieldOfView, towards, controls, frame, link } = props;
  const { camera, size: view, invalidate } = useThree();
  const across = Math.hypot(size.x, size.z) * 0.8; // three quarters of a head, between its width and its depth
  const height = Math.max(size.y, (across * view.height) / Math.max(1, view.width));
  const distance = height / fill / 2 / Math.tan((fieldOfView * Math.PI) / 360);

  const show = useEffectEvent((smooth: boolean) => {
    const { x, y, z } = towards;
    controls.current
      ?.setLookAt(x * distance, y * distance, z * distance, 0, 0, 0, smooth)
      .catch(() => undefined);
    invalidate();
  });
  useEffect(() => {
    frame.current = () => show(smoothly());
  }, [frame]);
  const before = useRef(distance);
  useEffect(() => {
    if (camera instanceof PerspectiveCamera) {
      camera.fov = fieldOfView;
      camera.near = distance / 50;
      camera.far = distance * 20;
      camera.updateProjectionMatrix();
    }
    // A view of another shape keeps the direction that a person turned the head to.
    const now = controls.current;
    now?.dollyTo((now.distance * distance) / before.current, false).catch(() => undefined);
    before.current = distance;
    invalidate();
  }, [camera, controls, fieldOfView, distance, invalidate]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another direction begins anew
  useEffect(() => {
    show(false);
  }, [towards]);
  // Linked views share direction and closeness; each keeps its own distance, as heads are not equally large.
  const apart = useRef(distance);
  apart.current = distance;
  useEffect(() => {
    const now = controls.current;
    if (!link || !now) return;
    const lead = (): void => link.lead(now);
    const tell = (): void => {
      const { theta, phi, radius } = now.getSpherical(new Spherical());
      const { x, y, z } = now.getTarget(new Vector3());
      const by = apart.current;
      link.tell(now, { azimuth: theta, polar: phi, closeness: radius / by, at: [x / by, y / by, z / by] });
    };
    const end = link.listen(now, ({ azimuth, polar, closeness, at: [x, y, z] }) => {
      const by = apart.current;
      Promise.all([
        now.rotateTo(azimuth, polar, false),
        now.dollyTo(closeness * by, false),
        now.moveTo(x * by, y * by, z * by, false),
      ]).catch(() => undefined);
      invalidate();
    });
    now.addEventListener('controlstart', lead);
    now.addEventListener('control', lead);
    now.addEventListener('update', tell);
    return () => {
      end();
      now.removeEventListener('controlstart', lead);
      now.removeEventListener('control', lead);
      now.removeEventListener('update', tell);
    };
  }, [link, controls, invalidate]);

  return (
    <CameraControls
      ref={controls}
      minDistance={distance * 0.25}
      maxDistance={distance * 3}
      dollyToCursor
      smoothTime={0.18}
      draggingSmoothTime={0.06}
    />
  );
}

function Turntable({ controls }: { controls: RefObject<CameraControls | null> }) {
  useFrame((_, seconds) => {
    controls.current?.rotate(turntableSpeed * Math.min(seconds, 0.1), 0, false).catch(() => undefined);
  });
  return null;
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
