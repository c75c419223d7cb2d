import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Photo, PhotoOutline } from '#contract';
import { type Action, useActions } from '../../base/actions.ts';
import { shortcut } from '../../base/shortcuts/shortcut-table.ts';
import { useKeyNames, withKey } from '../../base/shortcuts/shortcuts.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { PhotoFrame } from '../tray/PhotoFrame.tsx';
import type { Stroke } from './draft.ts';
import classes from './OutlineStage.module.css';
import { useZoomedView, type ZoomedView } from './use-zoomed-view.ts';

/** Width of the drawing's own units: a photo's width is this many, its height follows. */
const units = 1000;

interface StagePoint {
  x: number;
  y: number;
}

type BrushTip = Pick<Stroke, 'kind' | 'radius'>;

/** Where the brush is, and what it paints until it is lifted. */
function useStroke(brush: BrushTip, onStroke: (stroke: Stroke) => void) {
  const [at, setAt] = useState<StagePoint>();
  const [painting, setPainting] = useState<readonly number[]>();
  const from = at ?? { x: 0.5, y: 0.3 };
  const lift = (): void => {
    if (painting) onStroke({ ...brush, points: [...painting] });
    setPainting(undefined);
  };
  return {
    at,
    /** Where the keyboard begins when no pointer was here. */
    from,
    painting,
    begin: ({ x, y }: StagePoint): void => {
      setAt({ x, y });
      setPainting([clamp(x), clamp(y)]);
    },
    draw: ({ x, y }: StagePoint): void => {
      setAt({ x, y });
      setPainting((points) => points && [...points, clamp(x), clamp(y)]);
    },
    lift,
    /** Discards the current stroke. */
    drop: () => setPainting(undefined),
    leave: () => {
      if (!painting) setAt(undefined);
    },
    /** By keyboard: the brush goes down, or up. */
    touchDown: (): void => {
      if (painting) lift();
      else {
        setAt(from);
        setPainting([from.x, from.y]);
      }
    },
  };
}

type PaintedStroke = ReturnType<typeof useStroke>;

const zoomActions: readonly Action<{ zoom: ZoomedView }>[] = [
  { ...shortcut('outline.zoomIn'), repeats: true, run: ({ zoom }) => zoom.enlarge() },
  { ...shortcut('outline.zoomOut'), repeats: true, run: ({ zoom }) => zoom.reduce() },
  { ...shortcut('outline.fit'), run: ({ zoom }) => zoom.fit() },
  { ...shortcut('outline.onePixel'), run: ({ zoom }) => zoom.onePixel() },
];

/**
 * The photo, what is outside its outline dimmed, and the brush over it: by pointer, or by arrows and Space.
 */
export function OutlineStage(props: {
  photo: Photo;
  outline: PhotoOutline | undefined;
  strokes: readonly Stroke[];
  brush: BrushTip;
  onStroke: (stroke: Stroke) => void;
}) {
  const { t } = useTranslation('portraits');
  const { photo, outline, strokes, brush } = props;
  const stroke = useStroke(brush, props.onStroke);
  const area = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [shape, setShape] = useState(photo.width > 0 ? photo.width / photo.height : undefined);
  const zoom = useZoomedView(stage, { width: photo.width, shape }, stroke.drop);
  useActions('portraits:outline.editor', zoomActions, { zoom });

  const pointOf = ({ clientX, clientY }: PointerEvent): StagePoint => {
    const { left, top, width, height } = area.current?.getBoundingClientRect() ?? new DOMRect();
    return { x: (clientX - left) / Math.max(1, width), y: (clientY - top) / Math.max(1, height) };
  };
  return (
    <div ref={stage} className={classes.stage} data-held={zoom.isPanning || undefined}>
      <PhotoFrame photo={photo} view={zoom.view} onShape={setShape}>
        {(wide = 1) => (
          <div
            ref={area}
            className={classes.area}
            role="application"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows and Space paint here
            tabIndex={0}
            aria-label={t('outline.photo')}
            aria-description={t('outline.photoKeys')}
            onKeyDown={(event) => paintByKey(event, { stroke, brush, wide, show: zoom.show })}
            onKeyUp={(event) => {
              if (event.key === ' ' && !zoom.wasSpaceUsed()) stroke.touchDown();
            }}
            onBlur={stroke.lift}
            onPointerDown={(event) => {
              if (event.button !== 0) return;
              event.currentTarget.setPointerCapture(event.pointerId);
              stroke.begin(pointOf(event));
            }}
            onPointerMove={(event) => stroke.draw(pointOf(event))}
            onPointerUp={stroke.lift}
            onPointerLeave={stroke.leave}
          >
            <Drawing wide={wide} outline={outline} strokes={strokes} brush={brush} stroke={stroke} />
          </div>
        )}
      </PhotoFrame>
      <ZoomTools zoom={zoom} />
    </div>
  );
}

/** @param wide - The photo's width to its height. */
function paintByKey(
  event: KeyboardEvent,
  on: { stroke: PaintedStroke; brush: BrushTip; wide: number; show: (point: StagePoint) => void },
): void {
  const { stroke, brush, wide, show } = on;
  const { from } = stroke;
  const far = brush.radius * (event.shiftKey ? 3 : 0.6);
  const moves: Readonly<Record<string, StagePoint>> = {
    ArrowLeft: { x: -far, y: 0 },
    ArrowRight: { x: far, y: 0 },
    ArrowUp: { x: 0, y: -far * wide },
    ArrowDown: { x: 0, y: far * wide },
  };
  const move = moves[event.key];
  if (move) {
    const next = { x: inside(from.x + move.x), y: inside(from.y + move.y) };
    stroke.draw(next);
    show(next);
  } else if (event.key === ' ') {
    // When it comes up: until then the photo may be moved with it.
  } else if (event.key === 'Enter') stroke.touchDown();
  else if (event.key === 'Escape' && stroke.painting) stroke.drop();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * The outline, the strokes and the brush over the photo.
 * @param wide aspect ratio of the photo
 */
function Drawing(props: {
  wide: number;
  outline: PhotoOutline | undefined;
  strokes: readonly Stroke[];
  brush: BrushTip;
  stroke: PaintedStroke;
}) {
  const { outline, strokes, brush } = props;
  const { at, painting } = props.stroke;
  const tall = units / props.wide;
  const path = (points: readonly number[], closed: boolean): string =>
    points
      .map((value, i) => (i % 2 === 0 ? `${i ? 'L' : 'M'}${value * units}` : ` ${value * tall}`))
      .join('') + (closed ? 'Z' : points.length === 2 ? 'h0.01' : '');
  const rings = outline?.rings.map((ring) => path(ring, true)).join('') ?? '';
  return (
    <svg viewBox={`0 0 ${units} ${tall}`} className={classes.drawing} aria-hidden="true">
      {rings && (
        <>
          <path className={classes.outside} fillRule="evenodd" d={`M0 0H${units}V${tall}H0Z${rings}`} />
          <path className={classes.outline} data-sure={outline?.sure} d={rings} />
        </>
      )}
      {strokes.map((stroke, i) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: strokes have no other name, and only the last changes
          key={i}
          className={classes.stroke}
          data-kind={stroke.kind}
          strokeWidth={stroke.radius * 2 * units}
          d={path(stroke.points, false)}
        />
      ))}
      {painting && (
        <path
          className={classes.stroke}
          data-kind={brush.kind}
          data-fresh
          strokeWidth={brush.radius * 2 * units}
          d={path(painting, false)}
        />
      )}
      {at && (
        <circle
          className={classes.brush}
          data-kind={brush.kind}
          cx={at.x * units}
          cy={at.y * tall}
          r={brush.radius * units}
        />
      )}
    </svg>
  );
}

/** How large the photo is shown, and the steps of it. */
function ZoomTools({ zoom }: { zoom: ZoomedView }) {
  const { t } = useTranslation('portraits');
  const { percent } = useFigures();
  const key = useKeyNames();
  return (
    <div className={classes.tools} role="toolbar" aria-label={t('outline.zoom.tools')}>
      <Tooltip label={withKey(t('outline.zoom.out'), key('outline.zoomOut'))}>
        <ActionIcon aria-label={t('outline.zoom.out')} disabled={zoom.view.zoom <= 1} onClick={zoom.reduce}>
          <IconMinus size={15} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={withKey(t('outline.zoom.onePixel'), key('outline.onePixel'))}>
        <Button
          variant="subtle"
          color="gray"
          className={classes.scale ?? ''}
          // A small photo is larger than itself where it fits.
          disabled={zoom.scale / zoom.view.zoom > 1}
          onClick={zoom.onePixel}
        >
          {percent(zoom.scale)}
        </Button>
      </Tooltip>
      <Tooltip label={withKey(t('outline.zoom.in'), key('outline.zoomIn'))}>
        <ActionIcon aria-label={t('outline.zoom.in')} disabled={!zoom.canEnlarge} onClick={zoom.enlarge}>
          <IconPlus size={15} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={withKey(t('outline.zoom.fit'), key('outline.fit'))}>
        <ActionIcon aria-label={t('outline.zoom.fit')} disabled={zoom.view.zoom === 1} onClick={zoom.fit}>
          <IconArrowsMaximize size={15} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

/** A stroke may leave the photo a little, and the contract has it so. */
const clamp = (value: number): number => Math.min(1.5, Math.max(-0.5, value));
const inside = (value: number): number => Math.min(1, Math.max(0, value));
