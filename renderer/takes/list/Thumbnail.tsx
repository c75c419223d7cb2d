import { type PointerEvent, type ReactNode, useEffect, useRef } from 'react';
import type { Take } from '#contract';
import { useHeadUrl } from '../../speaking/head-url.ts';
import { HeadPicture, useTakeHead } from './HeadPicture.tsx';
import classes from './TakeList.module.css';
import { frameSize, ThumbnailFilm } from './thumbnail-film.ts';

/** Milliseconds that the pointer rests on a thumbnail before its take is drawn, and seconds of the longest take. */
const ahead = { rest: 150, longest: 1800 };

/** The head of a take. Where the pointer moves over it, it shows the face of that share of the take. */
export function Thumbnail({ take, children }: { take: Take; children?: ReactNode }) {
  const { isDefault } = useTakeHead(take.model);
  const headUrl = useHeadUrl(isDefault ? '' : take.model);
  const canvas = useRef<HTMLCanvasElement>(null);
  const due = useRef<ReturnType<typeof setTimeout>>(undefined);
  const film = useRef<ThumbnailFilm>(null);
  const share = useRef(0);
  const leave = (): void => {
    clearTimeout(due.current);
    film.current?.close();
    film.current = null;
    const shown = canvas.current;
    if (shown) shown.hidden = true;
    shown?.parentElement?.style.removeProperty('--share');
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes by refs alone
  useEffect(() => leave, []);
  const enter = (): void => {
    const isCalm = document.documentElement.dataset.motion === 'reduced';
    if (isCalm || take.damaged || take.seconds > ahead.longest) return;
    due.current = setTimeout(() => {
      film.current = new ThumbnailFilm(take, headUrl, (frame) => {
        const shown = canvas.current;
        if (!shown) return;
        shown.getContext('2d')?.putImageData(frame, 0, 0);
        shown.hidden = false;
        shown.parentElement?.style.setProperty('--share', String(share.current));
      });
      film.current.show(share.current);
    }, ahead.rest);
  };
  const move = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    share.current = Math.max(0, Math.min(1, (clientX - left) / width));
    film.current?.show(share.current);
  };
  return (
    <span
      className={classes.thumbnail}
      data-thumbnail
      onPointerEnter={(event) => {
        move(event);
        enter();
      }}
      onPointerMove={move}
      onPointerLeave={leave}
    >
      <HeadPicture modelId={take.model} />
      <canvas ref={canvas} className={classes.frame} {...frameSize} hidden aria-hidden />
      {children}
    </span>
  );
}
