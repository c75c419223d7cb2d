/** Two looks on one stage, which share camera and light: left of a line one, right of it the other. */
import { useFrame, useThree } from '@react-three/fiber';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import { disposeHead, type LoadedHead, loadHead } from '../load-head.ts';
import classes from './Comparison.module.css';
import type { Look } from './can-preview.ts';
import { LookPreview } from './look-preview.ts';

export interface Comparison {
  /** Shown on the head that is there; null: as it is. */
  applied: Look | null;
  /** Another file of the head, for the left half; undefined: the head as it was made. */
  beforeUrl?: string | undefined;
  /** Another file for the right half; undefined: `applied` on the head. */
  afterUrl?: string | undefined;
  /** Names of the halves. */
  before: string;
  after: string;
  /** Where the line is, 0..1 of the stage's width; null: the right half is all. */
  split: number | null;
  onSplit: (split: number) => void;
}

/** Another file of the head; while the next one is loaded, the last one. */
function useOtherHead(url: string | undefined): LoadedHead | undefined {
  const { data } = useQuery({
    queryKey: ['head', url],
    queryFn: ({ signal }) => loadHead(url!, signal),
    enabled: url !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  useEffect(() => () => data && disposeHead(data.scene), [data]);
  return url === undefined ? undefined : data;
}

/** In the canvas: shows the look on the head, and draws both halves. */
export function ComparedHeads({ head, comparison }: { head: LoadedHead; comparison: Comparison }) {
  const { applied, beforeUrl, afterUrl, split } = comparison;
  const { invalidate } = useThree();
  const preview = useMemo(() => new LookPreview(head.scene), [head]);
  const before = useOtherHead(beforeUrl);
  const after = useOtherHead(afterUrl);
  useEffect(() => {
    preview.set(applied ?? { made: {}, wanted: {} });
    invalidate();
  }, [preview, applied, invalidate]);
  const show = (isAfter: boolean): void => {
    const shown = (isAfter ? after : before) ?? head;
    for (const one of [head, before, after]) if (one) one.scene.visible = one === shown;
    preview.show(isAfter);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again where the line is elsewhere
  useEffect(() => {
    show(true);
    invalidate();
  }, [split, before, after, invalidate]);
  useEffect(
    () => () => {
      head.scene.visible = true;
    },
    [head],
  );
  return (
    <>
      {before && <primitive object={before.scene} visible={false} />}
      {after && <primitive object={after.scene} />}
      {split !== null && <Halves split={split} show={show} />}
    </>
  );
}

function Halves({ split, show }: { split: number; show: (isAfter: boolean) => void }) {
  useFrame(({ gl, scene, camera, size: { width, height } }) => {
    const line = Math.round(split * width);
    gl.setScissorTest(true);
    for (const isAfter of [false, true]) {
      const [from, to] = isAfter ? [line, width] : [0, line];
      if (to <= from) continue;
      gl.setScissor(from, 0, to - from, height);
      show(isAfter);
      gl.render(scene, camera);
    }
    show(true);
    gl.setScissorTest(false);
  }, 1);
  return null;
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** Over the canvas: the line with its handle, and what each half shows. */
export function ComparisonLine({ comparison }: { comparison: Comparison }) {
  const { t } = useTranslation('viewer');
  const { percent } = useFigures();
  const { split, onSplit, before, after } = comparison;
  const area = useRef<HTMLDivElement>(null);
  if (split === null) return null;
  const drag = (event: PointerEvent<HTMLElement>): void => {
    if (event.buttons !== 1 || !area.current) return;
    const { left, width } = area.current.getBoundingClientRect();
    onSplit(clamp((event.clientX - left) / width));
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 0.1 : 0.01;
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: split - step,
      ArrowRight: split + step,
      Home: 0,
      End: 1,
    };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSplit(clamp(next));
  };
  return (
    <div ref={area} className={classes.area}>
      <span className={classes.label} data-side="before">
        {before}
      </span>
      <span className={classes.label} data-side="after">
        {after}
      </span>
      <div
        role="slider"
        className={classes.line}
        style={{ left: `${split * 100}%` }}
        tabIndex={0}
        aria-label={t('compareLine')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(split * 100)}
        aria-valuetext={`${before} ${percent(split)}`}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onDoubleClick={() => onSplit(0.5)}
        onKeyDown={onKey}
      >
        <span className={classes.handle} aria-hidden>
          ⟷
        </span>
      </div>
    </div>
  );
}
