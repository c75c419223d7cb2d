import { useRef, useState } from 'react';
import type { Photo } from '#contract';
import { type Action, useActions } from '../../base/actions.ts';
import { shortcut } from '../../base/shortcuts/shortcut-table.ts';
import { useZoomedView } from '../outline/use-zoomed-view.ts';
import { PhotoView } from './PhotoView.tsx';
import classes from './ReviewPage.module.css';

const zoomActions: readonly Action<{ zoom: () => void }>[] = [
  { ...shortcut('review.onePixel'), run: ({ zoom }) => zoom() },
];

/** A photo that Z shows pixel by pixel, with the face in the middle; the wheel zooms, and a drag moves it. */
export function ZoomedPhoto({ photo }: { photo: Photo }) {
  const stage = useRef<HTMLDivElement>(null);
  const { face, width, height } = photo;
  const [shape, setShape] = useState(width > 0 ? width / height : undefined);
  const zoom = useZoomedView(stage, { width, shape });
  const { view } = zoom;
  const isLarge = view.zoom > 1;
  const middle = face ? { x: face.x + face.width / 2, y: face.y + face.height / 2 } : { x: 0.5, y: 0.5 };
  useActions('pages.portraits', zoomActions, {
    zoom: () => (isLarge ? zoom.fit() : zoom.onePixelAt(middle)),
  });
  return (
    <div ref={stage} className={classes.zoomed} data-large={isLarge || undefined}>
      <PhotoView photo={photo} onShape={setShape} {...(isLarge ? { view } : {})} />
    </div>
  );
}
