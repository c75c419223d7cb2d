import { Button, Loader } from '@mantine/core';
import { Canvas, invalidate, useFrame, useThree } from '@react-three/fiber';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../base/actions.ts';
import { attempt, notify } from '../base/notices.tsx';
import { useSettings } from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { downloadBlob } from '../ui/download.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { appearanceNow, lenses, paintBackground, type Shading, useAppearance } from './appearance.ts';
import { BlendedPhoto, type PhotoPart } from './BlendedPhoto.tsx';
import type { CameraControls } from './CameraControls.tsx';
import { CameraFraming } from './CameraFraming.tsx';
import { DrawingBoundary } from './DrawingBoundary.tsx';
import { frameLoopOf, Paced } from './frame-rate.tsx';
import classes from './HeadViewer.module.css';
import { LightRig } from './light/LightRig.tsx';
import { disposeHead, HeadMissing, type LoadedHead, loadHead } from './load-head.ts';
import { ComparedHeads, type Comparison, ComparisonLine } from './look/Comparison.tsx';
import { type Morph, morphsOf } from './morphs.ts';
import { drawEdges, shade } from './shading.ts';
import { ViewerEmpty } from './ViewerEmpty.tsx';
import { ViewerTools } from './ViewerTools.tsx';
import { directions, longLens, smoothly, threeQuarters } from './view-camera.ts';
import type { ViewLink } from './view-link.ts';
import { type ViewerAt, viewerActions } from './viewer-actions.ts';

/** Radians a second: a turn in twelve seconds. */
const turntableSpeed = (2 * Math.PI) / 12;

/** Pixels of the canvas to one of the page, a side: at least and at most, or always. */
const densities = { auto: [1, 2], low: 0.75, high: [1, 3] } satisfies Record<
  string,
  number | [number, number]
>;

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
  /** Another look on this head, beside how it is. */
  comparison?: Comparison | undefined;
  /** The target of keys and tools among several viewers; default: there is only one. */
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

  if (!drawable) return <ViewerEmpty title={t('noWebglTitle')} text={t('noWebglText')} />;
  if (error instanceof HeadMissing) return <ViewerEmpty title={t('missingTitle')} text={t('missingText')} />;
  if (error) return <ViewerEmpty title={t('failedTitle')} text={error.message} />;
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

/** A way to have the canvas drawn now, which is given as it was drawn. */
type Draw = RefObject<(() => HTMLCanvasElement) | undefined>;

/** Saves what is seen, on its background, as a PNG. */
function useSnapshot(draw: Draw, name: string): () => void {
  const { t } = useTranslation('viewer');
  const figures = useFigures();
  return () =>
    attempt(async () => {
      const canvas = draw.current?.();
      if (!canvas) return;
      const picture = document.createElement('canvas');
      picture.width = canvas.width;
      picture.height = canvas.height;
      const brush = picture.getContext('2d')!;
      paintBackground(brush, appearanceNow());
      brush.drawImage(canvas, 0, 0);
      const blob = await new Promise<Blob | null>((resolve) => {
        picture.toBlob(resolve, 'image/png');
      });
      if (!blob) throw new Error(t('noPicture'));
      const fileName = `${name}.png`;
      downloadBlob(fileName, blob);
      notify({
        level: 'success',
        title: t('saved', { name: fileName }),
        text: t('savedText', {
          pixels: `${figures.number(picture.width)} × ${figures.number(picture.height)}`,
          bytes: figures.bytes(blob.size),
        }),
      });
    });
}

type MoveCamera = (by: (camera: CameraControls) => Promise<unknown>) => void;

/** How keys and buttons move the camera; the mouse on the view itself is `CameraFraming`'s. */
function useCamera(link: ViewLink | undefined) {
  const controls = useRef<CameraControls>(null);
  const frame = useRef<() => void>(undefined);
  const move: MoveCamera = (by) => {
    const camera = controls.current;
    if (!camera) return;
    link?.lead(camera);
    by(camera).catch(() => undefined);
    invalidate(); // a step without a transition asks for no frame of its own
  };
  const moves: Pick<ViewerAt, 'frame' | 'zoom' | 'lookFrom' | 'viewFromBack'> = {
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
    viewFromBack: () => move((camera) => camera.rotate(Math.PI, 0, smoothly())),
  };
  return { controls, frame, move, moves };
}

/** Arrows only: they belong to whatever has the focus, all other keys to the page. */
function turnByArrows(event: KeyboardEvent, move: MoveCamera): void {
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
}

/**
 * Returns the applicable part of the chosen appearance: all of it, or only the light beside an empty library.
 */
function useShownAppearance({ head, photoUrl, tools = 'few' }: ViewerProps & { head: LoadedHead }) {
  const appearance = useAppearance();
  const all = tools === 'all';
  const photo = all && photoUrl ? appearance.photo : 'off';
  const plane = photo === 'blended' ? head.photo : null;
  return {
    appearance,
    all,
    turning: all && appearance.turning,
    shading: all ? appearance.shading : ('lit' as const),
    wireframe: all && appearance.wireframe,
    lightTurn: all ? appearance.lightTurn : 0,
    background: all ? appearance.background : ('stage' as const),
    photo,
    /** Where the photo lies in space, when it is blended with the head. */
    plane,
    lens: plane ? longLens : all ? appearance.lens : lenses.usual,
    // Beside its photo the head looks as the person in it did, so that like is compared with like.
    towards:
      photo === 'beside' ? (head.photo?.towards ?? directions.front) : (plane?.towards ?? threeQuarters),
  };
}

type ShownAppearance = ReturnType<typeof useShownAppearance>;

function Stage(props: ViewerProps & { head: LoadedHead }) {
  const { photoUrl, name = 'head', link, main = true } = props;
  const { t } = useTranslation('viewer');
  const stage = useRef<HTMLDivElement>(null);
  const draw: Draw = useRef(undefined);
  const [lost, setLost] = useState(false);
  const shown = useShownAppearance(props);
  const camera = useCamera(link);
  const { appearance, all, photo, plane } = shown;
  const at: ViewerAt = {
    all,
    hasPhoto: Boolean(photoUrl),
    ...camera.moves,
    shoot: useSnapshot(draw, name),
    fullscreen: () =>
      attempt(() =>
        document.fullscreenElement ? document.exitFullscreen() : stage.current!.requestFullscreen(),
      ),
  };
  useActions('app:shortcuts.viewer', viewerActions, main && !lost ? at : null);

  if (lost)
    return (
      <EmptyState icon={null} title={t('lostTitle')} text={t('lostText')}>
        <Button onClick={() => setLost(false)}>{t('again')}</Button>
      </EmptyState>
    );
  return (
    <div
      ref={stage}
      className={classes.stage}
      data-background={shown.background}
      data-photo={photo}
      data-linked={link !== undefined}
      style={shown.background === 'own' ? { background: appearance.ownColour } : undefined}
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
          onKeyDown={(event) => turnByArrows(event, camera.move)}
        >
          <Scene {...props} shown={shown} camera={camera} draw={draw} onLost={() => setLost(true)} />
        </div>
        {photo === 'blended' && !plane && (
          <img
            className={classes.blended}
            src={photoUrl}
            alt={t('photo')}
            style={{ opacity: appearance.blend }}
          />
        )}
      </div>
      {props.comparison && <ComparisonLine comparison={props.comparison} />}
      {main && <ViewerTools at={at} aligned={plane !== null} />}
    </div>
  );
}

/** The scene: the head in its light, the photo blended over it, and the camera. */
function Scene(
  props: ViewerProps & {
    head: LoadedHead;
    shown: ShownAppearance;
    camera: ReturnType<typeof useCamera>;
    draw: Draw;
    onLost: () => void;
  },
) {
  const { head, photoUrl, shown, draw, onLost } = props;
  const { controls, frame } = props.camera;
  const { appearance, turning, plane, lens } = shown;
  const { frameRate, drawQuality } = useSettings();
  return (
    <Canvas
      // A canvas keeps for life what smooths its edges.
      key={String(drawQuality === 'low')}
      frameloop={turning ? frameLoopOf(frameRate) : 'demand'}
      dpr={densities[drawQuality]}
      gl={{ antialias: drawQuality !== 'low' }}
      camera={{ fov: lens }}
      onCreated={({ gl }) => {
        gl.domElement.addEventListener('webglcontextlost', onLost, { once: true });
      }}
    >
      <LightRig name={appearance.light} turn={shown.lightTurn} />
      <group position={head.middle.clone().negate()}>
        <Head
          head={head}
          wireframe={shown.wireframe}
          shading={shown.shading}
          draw={draw}
          onHead={props.onHead}
        />
        {props.comparison && <ComparedHeads head={head} comparison={props.comparison} />}
        {plane && photoUrl && (
          <BlendedPhoto url={photoUrl} plane={plane} part={props.photoPart} opacity={appearance.blend} />
        )}
      </group>
      <CameraFraming
        size={head.size}
        fieldOfView={lens}
        towards={shown.towards}
        controls={controls}
        frame={frame}
        link={props.link}
      />
      {turning && <Turntable controls={controls} />}
      {turning && <Paced rate={frameRate} />}
    </Canvas>
  );
}

function Head(props: {
  head: LoadedHead;
  wireframe: boolean;
  shading: Shading;
  draw: Draw;
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

function Turntable({ controls }: { controls: RefObject<CameraControls | null> }) {
  useFrame((_, seconds) => {
    controls.current?.rotate(turntableSpeed * Math.min(seconds, 0.1), 0, false).catch(() => undefined);
  });
  return null;
}
