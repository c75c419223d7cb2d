import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './CropFrame.module.css';
import { type Crop, type Grip, moved, resized } from './crop.ts';

const corners = [
  { name: 'topLeft', across: -1, down: -1 },
  { name: 'topRight', across: 1, down: -1 },
  { name: 'bottomLeft', across: -1, down: 1 },
  { name: 'bottomRight', across: 1, down: 1 },
] as const;
const edges: readonly Grip[] = [
  { across: -1, down: 0 },
  { across: 1, down: 0 },
  { across: 0, down: -1 },
  { across: 0, down: 1 },
];
/** Step per key press as a share of the photo; ten times as much with Shift. */
const keyStep = 0.005;

/**
 * The frame of a crop over the photo: pulled by its edges and corners, moved as a whole, or both by arrows.
 */
export function CropFrame(props: {
  crop: Crop;
  onChange: (crop: Crop) => void;
  /** Enter on a part of the frame. */
  onKeep: () => void;
}) {
  const { t } = useTranslation('portraits');
  const { crop, onChange } = props;
  const area = useRef<HTMLDivElement>(null);
  const drag = useRef<{ from: Crop; x: number; y: number } | undefined>(undefined);

  /** Handlers for a part of the frame. `change` computes the crop when that part moves. */
  const grip = (change: (from: Crop, dx: number, dy: number) => Crop) => ({
    onPointerDown: (event: PointerEvent): void => {
      if (event.button !== 0) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { from: crop, x: event.clientX, y: event.clientY };
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent): void => {
      const { from, x, y } = drag.current ?? {};
      const size = area.current?.getBoundingClientRect();
      if (from && size)
        onChange(change(from, (clientX - (x ?? 0)) / size.width, (clientY - (y ?? 0)) / size.height));
    },
    onPointerUp: (): void => {
      drag.current = undefined;
    },
    onKeyDown: (event: KeyboardEvent): void => {
      const by = keyStep * (event.shiftKey ? 10 : 1);
      const steps: Readonly<Record<string, readonly [number, number]>> = {
        ArrowLeft: [-by, 0],
        ArrowRight: [by, 0],
        ArrowUp: [0, -by],
        ArrowDown: [0, by],
      };
      const step = steps[event.key];
      if (!step && event.key !== 'Enter') return;
      event.preventDefault();
      if (step) onChange(change(crop, ...step));
      else props.onKeep();
    },
  });
  const resizing = (which: Grip) => grip((from, dx, dy) => resized(from, which, dx, dy));
  const percent = (part: number): string => `${part * 100}%`;
  return (
    <div ref={area} className={classes.area}>
      <div
        className={classes.frame}
        style={{
          left: percent(crop.x),
          top: percent(crop.y),
          width: percent(crop.width),
          height: percent(crop.height),
        }}
      >
        <button
          // biome-ignore lint/a11y/noAutofocus: the person has just asked for the frame; arrows move it at once
          autoFocus
          type="button"
          className={classes.whole}
          aria-label={t('crop.move')}
          {...grip(moved)}
        />
        {edges.map((edge) => (
          <span
            key={`${edge.across} ${edge.down}`}
            className={classes.edge}
            data-across={edge.across}
            data-down={edge.down}
            aria-hidden="true"
            {...resizing(edge)}
          />
        ))}
        {corners.map(({ name, ...corner }) => (
          <button
            key={name}
            type="button"
            className={classes.corner}
            data-across={corner.across}
            data-down={corner.down}
            aria-label={t(`crop.${name}`)}
            {...resizing(corner)}
          />
        ))}
      </div>
    </div>
  );
}
