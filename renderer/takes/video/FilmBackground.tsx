import { Button, ColorInput, FileButton, SegmentedControl, Select } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { VideoOptions } from '#contract';
import {
  type FilmPictureFit,
  filmPictureFits,
  plainBackground,
  transparent,
} from '#contract/video_options.ts';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { register } from '../../ui/dropped-files.ts';
import classes from './Film.module.css';
import { filmPicture } from './film-choice.ts';

const accepted =
  'image/jpeg,image/heic,image/heif,image/png,image/webp,image/avif,image/tiff,image/gif,.heic,.heif,.tif';

interface FilmBackgroundProps {
  options: VideoOptions;
  onChange: (changes: Partial<VideoOptions>) => void;
}

type Kind = typeof transparent | 'colour' | 'picture';

/** Background of the film: none, a colour, or the user's picture. */
export function FilmBackground({ options, onChange }: FilmBackgroundProps) {
  const { t } = useTranslation('takes');
  const { background, picture } = options;
  const known = filmPicture.use();
  const kind: Kind = picture ? 'picture' : background === transparent ? transparent : 'colour';
  const set = (next: Kind): void => {
    if (next === transparent) onChange({ background: transparent, picture: null });
    else if (next === 'colour')
      onChange({ background: kind === transparent ? plainBackground : background, picture: null });
    else if (known) onChange({ picture: { id: known.id, fit: 'cover' } });
  };
  return (
    <>
      <div className={classes.pair}>
        <div>
          <div className={classes.label} id="film-background">
            {t('film.background')}
          </div>
          <SegmentedControl
            fullWidth
            aria-labelledby="film-background"
            value={kind}
            data={[
              { value: transparent, label: t('film.transparent') },
              { value: 'colour', label: t('film.colour') },
              { value: 'picture', label: t('film.picture'), disabled: !known },
            ]}
            onChange={(next) => set(next as Kind)}
          />
        </div>
        <ColorInput
          size="xs"
          label={t('film.colour')}
          format="hex"
          disabled={kind === transparent || (kind === 'picture' && picture?.fit === 'cover')}
          value={kind === transparent ? '' : background}
          onChange={(colour) => {
            if (/^#[0-9a-f]{6}$/i.test(colour)) onChange({ background: colour });
          }}
        />
      </div>
      <PictureFields options={options} onChange={onChange} />
    </>
  );
}

/** The picture's file, and how it fills the film's. */
function PictureFields({ options: { picture }, onChange }: FilmBackgroundProps) {
  const { t } = useTranslation('takes');
  const known = filmPicture.use();
  const choose = (file: File | null): void =>
    attempt(async () => {
      const [[dropId] = []] = file ? await register([file]) : [];
      if (dropId === undefined) return;
      const taken = await studio.video.addPicture({ dropId });
      filmPicture.set(taken);
      onChange({ picture: { id: taken.id, fit: picture?.fit ?? 'cover' } });
    });
  return (
    <div className={classes.pair}>
      <div>
        <div className={classes.label}>{t('film.pictureFile')}</div>
        <FileButton accept={accepted} onChange={choose}>
          {(props) => (
            <Button {...props} variant="default" fullWidth leftSection={<IconPhoto size={16} />}>
              {t('film.choosePicture')}
            </Button>
          )}
        </FileButton>
        {known && (
          <p className={classes.quiet} role="status">
            <bdi>{known.name}</bdi>, {known.width} × {known.height}
          </p>
        )}
      </div>
      <Select
        label={t('film.fit')}
        allowDeselect={false}
        disabled={!picture}
        data={filmPictureFits.map((value) => ({ value, label: t(`film.fits.${value}`) }))}
        value={picture?.fit ?? 'cover'}
        onChange={(fit) => picture && onChange({ picture: { ...picture, fit: fit as FilmPictureFit } })}
      />
    </div>
  );
}
