import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { useTranslation } from 'react-i18next';
import type { VideoOptions } from '#contract';
import { transparent } from '#contract/video_options.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { plainFaceStyle } from '../../speaking/face-style.ts';
import type { Framing } from '../../speaking/framing.ts';
import { useHeadUrl } from '../../speaking/head-url.ts';
import { SpeakingHead } from '../../speaking/SpeakingHead.tsx';
import classes from './ExportTakesDialog.module.css';

const style = () => plainFaceStyle;

/** CSS pixels that the picture fits into. */
const room = { width: 236, height: 260 };

/** The film's picture at the playhead. A turntable begins from the front. */
export function FilmPreview(props: {
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
        {height > width && <i className={classes.safe} />}
      </div>
      <figcaption>{t(height > width ? 'previewSafe' : 'preview', { at: seconds(at) })}</figcaption>
    </figure>
  );
}

const framingOf = ({ framing, camera }: VideoOptions): Framing =>
  camera === 'profile' || camera === 'threeQuarter' ? camera : framing === 'bust' ? 'shoulders' : framing;
