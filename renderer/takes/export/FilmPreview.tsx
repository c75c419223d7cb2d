import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { VideoOptions } from '#contract';
import { transparent } from '#contract/video_options.ts';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { plainFaceStyle } from '../../speaking/face-style.ts';
import type { Framing } from '../../speaking/framing.ts';
import { useHeadUrl } from '../../speaking/head-url.ts';
import { SpeakingHead } from '../../speaking/SpeakingHead.tsx';
import { subtitleAt } from '../video/film-subtitles.ts';
import classes from './ExportTakesDialog.module.css';

const style = () => plainFaceStyle;

/** CSS pixels that the picture fits into. */
const room = { width: 236, height: 260 };

/** The film's picture at the playhead. A turntable begins from the front. */
export function FilmPreview(props: {
  takeId: string | undefined;
  options: VideoOptions;
  modelId: string;
  face: () => FaceState | null;
  /** Seconds as the take plays. */
  at: number;
}) {
  const { t } = useTranslation('takeExport');
  const { seconds } = useFigures();
  const { options, modelId, face, at } = props;
  const { width, height, background } = options;
  const isClear = background === transparent;
  const scale = Math.min(room.width / width, room.height / height);
  return (
    <figure className={classes.preview}>
      <div
        className={classes.picture}
        data-clear={isClear || undefined}
        style={{ width: width * scale, height: height * scale }}
      >
        <SpeakingHead
          url={useHeadUrl(modelId)}
          modelId={modelId}
          face={face}
          style={style}
          mirror={false}
          framing={framingOf(options)}
          background={isClear ? 'transparent' : background}
        />
        {options.subtitles && props.takeId !== undefined && (
          <Subtitle takeId={props.takeId} options={options} scale={scale} at={at} />
        )}
        {height > width && <i className={classes.safe} />}
      </div>
      <figcaption>{t(height > width ? 'previewSafe' : 'preview', { at: seconds(at) })}</figcaption>
    </figure>
  );
}

/** The subtitle of this moment, by the film’s own drawing. */
function Subtitle({
  takeId,
  options,
  scale,
  at,
}: {
  takeId: string;
  options: VideoOptions;
  scale: number;
  at: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = options;
  const { data: subtitles } = useQuery({
    queryKey: ['film-subtitles', takeId],
    queryFn: () => studio.video.subtitles({ takeId }),
    gcTime: 0,
  });
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !subtitles) return;
    const density = scale * window.devicePixelRatio;
    context.canvas.width = width * density;
    context.canvas.height = height * density;
    const text = subtitleAt({ width, height, subtitles }, at);
    if (!text) return;
    const { left, top, ...area } = text.area;
    context.imageSmoothingQuality = 'high';
    context.setTransform(density, 0, 0, density, 0, 0);
    context.drawImage(text.canvas, 0, 0, area.width, area.height, left, top, area.width, area.height);
  }, [subtitles, width, height, scale, at]);
  return <canvas ref={canvas} className={classes.subtitle} data-subtitle aria-hidden />;
}

const framingOf = ({ framing, camera }: VideoOptions): Framing =>
  camera === 'profile' || camera === 'threeQuarter' ? camera : framing === 'bust' ? 'shoulders' : framing;
