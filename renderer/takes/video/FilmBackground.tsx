import { Button, ColorInput, Input, SegmentedControl, Select } from '@mantine/core';
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
import { chooseFiles, register } from '../../ui/dropped-files.ts';
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
  const choosePicture = (): void =>
    attempt(async () => {
      const [file] = await chooseFiles(accepted, false);
      const [[dropId] = []] = file ? await register([file]) : [];
      if (dropId === undefined) return;
      const taken = await studio.video.addPicture({ dropId });
      filmPicture.set(taken);
      onChange({ picture: { id: taken.id, fit: picture?.fit ?? 'cover' } });
    });
  const set = (next: Kind): void => {
    if (next === transparent) onChange({ background: transparent, picture: null });
    else if (next === 'colour')
      onChange({ background: kind === transparent ? plainBackground : background, picture: null });
    else if (known) onChange({ picture: { id: known.id, fit: 'cover' } });
    else choosePicture();
  };
  return (
    <>
      <div className={classes.pair}>
        <Input.Wrapper label={t('film.background')} labelElement="div" labelProps={{ id: 'film-background' }}>
          <SegmentedControl
            fullWidth
            aria-labelledby="film-background"
            value={kind}
            data={[
              { value: transparent, label: t('film.transparent') },
              { value: 'colour', label: t('film.colour') },
              { value: 'picture', label: t('film.picture') },
            ]}
            onChange={(next) => set(next as Kind)}
          />
        </Input.Wrapper>
        {kind !== transparent && picture?.fit !== 'cover' && (
          <ColorInput
            size="xs"
            label={t('film.colour')}
            format="hex"
            value={background}
            onChange={(colour) => {
              if (/^#[0-9a-f]{6}$/i.test(colour)) onChange({ background: colour });
            }}
          />
        )}
      </div>
      {picture && (
        <div className={classes.pair}>
          <Input.Wrapper label={t('film.pictureFile')} labelElement="div">
            <Button variant="default" fullWidth leftSection={<IconPhoto size={16} />} onClick={choosePicture}>
              {t('film.choosePicture')}
            </Button>
            {known && (
              <p className={classes.quiet} role="status">
                <bdi>{known.name}</bdi>, {known.width} × {known.height}
              </p>
            )}
          </Input.Wrapper>
          <Select
            label={t('film.fit')}
            allowDeselect={false}
            data={filmPictureFits.map((value) => ({ value, label: t(`film.fits.${value}`) }))}
            value={picture.fit}
            onChange={(fit) => onChange({ picture: { ...picture, fit: fit as FilmPictureFit } })}
          />
        </div>
      )}
    </>
  );
}
