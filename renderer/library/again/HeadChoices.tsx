import { type GlassesChoice, glassesChoices } from '@likeness/proto/heads/glasses.ts';
import { type HairStyle, hairStyles } from '@likeness/proto/heads/hair_style.ts';
import {
  defaultHeadOptions,
  type HeadOptions,
  headOptionBounds,
} from '@likeness/proto/heads/head_options.ts';
import { Button, ColorInput, SegmentedControl, Slider } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import classes from './HeadChoices.module.css';

const whole = { least: 0, most: 1 };
const dials = {
  smile: whole,
  light: whole,
  evenness: whole,
  head: headOptionBounds.head,
  neck: headOptionBounds.neck,
} as const;
/** Default shirt colour of a bust. */
const defaultCloth = '#2f3a48';
const dialNames = Object.keys(dials) as (keyof typeof dials)[];

interface HeadChoicesProps {
  options: HeadOptions;
  /** Whether a photo shows glasses, or it isn't known. */
  withGlasses: boolean;
  onChange: (options: HeadOptions) => void;
}

/** Sliders and colours for what a person chooses of a head. */
export function HeadChoices({ options, withGlasses, onChange }: HeadChoicesProps) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  return (
    <div className={classes.choices}>
      {dialNames.map((name) => {
        const value = options[name] ?? defaultHeadOptions[name];
        return (
          <div key={name} className={classes.dial}>
            <span className={classes.name}>{t(`choices.${name}`)}</span>
            <Slider
              size="sm"
              thumbLabel={t(`choices.${name}`)}
              label={null}
              min={dials[name].least}
              max={dials[name].most}
              step={name === 'head' || name === 'neck' ? 0.01 : 0.05}
              value={value}
              onChange={(next) => onChange({ ...options, [name]: Number(next.toFixed(2)) })}
            />
            <span className={classes.figure}>{figures.percent(value)}</span>
          </div>
        );
      })}
      <div className={classes.dial}>
        <span className={classes.name}>{t('choices.hair')}</span>
        <SegmentedControl
          className={classes.wide}
          aria-label={t('choices.hair')}
          value={options.hair ?? defaultHeadOptions.hair}
          data={hairStyles.map((value) => ({ value, label: t(`choices.hairs.${value}`) }))}
          onChange={(value) => onChange({ ...options, hair: value as HairStyle })}
        />
      </div>
      {withGlasses && (
        <div className={classes.dial}>
          <span className={classes.name}>{t('choices.glasses')}</span>
          <SegmentedControl
            className={classes.wide}
            aria-label={t('choices.glasses')}
            value={options.glasses ?? defaultHeadOptions.glasses}
            data={glassesChoices.map((value) => ({ value, label: t(`choices.glassesKept.${value}`) }))}
            onChange={(value) => onChange({ ...options, glasses: value as GlassesChoice })}
          />
        </div>
      )}
      <div className={classes.dial}>
        <span className={classes.name}>{t('choices.below')}</span>
        <SegmentedControl
          className={classes.wide}
          aria-label={t('choices.below')}
          value={options.bust ? 'bust' : 'cut'}
          data={(['cut', 'bust'] as const).map((value) => ({ value, label: t(`choices.belows.${value}`) }))}
          onChange={(value) => onChange({ ...options, bust: value === 'bust' ? defaultCloth : null })}
        />
      </div>
      <div className={classes.colours}>
        {(options.bust
          ? (['hairColour', 'eyeColour', 'bust'] as const)
          : (['hairColour', 'eyeColour'] as const)
        ).map((name) => (
          <ColorInput
            key={name}
            label={t(`choices.${name}`)}
            placeholder={t('choices.asSeen')}
            format="hex"
            // It would be a button without a name.
            withEyeDropper={false}
            withPreview={Boolean(options[name])}
            value={options[name] ?? ''}
            onChange={(colour) => {
              if (colour === '' && name !== 'bust') onChange({ ...options, [name]: null });
              else if (/^#[0-9a-f]{6}$/i.test(colour)) onChange({ ...options, [name]: colour.toLowerCase() });
            }}
          />
        ))}
      </div>
      <Button variant="default" className={classes.reset} onClick={() => onChange({})}>
        {t('choices.reset')}
      </Button>
    </div>
  );
}
