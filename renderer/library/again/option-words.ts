import type { GlassesChoice } from '@likeness/proto/heads/glasses.ts';
import type { HairStyle } from '@likeness/proto/heads/hair_style.ts';
import { type HeadOptions, headOptionNames } from '@likeness/proto/heads/head_options.ts';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';

/** Returns a function that lists the chosen options of a head as short texts. */
export function useOptionWords(): (options: HeadOptions | null) => string[] {
  const { t } = useTranslation('library');
  const figures = useFigures();
  return (options) =>
    headOptionNames.flatMap((name) => {
      const value = options?.[name];
      if (value === undefined) return [];
      const label =
        typeof value === 'number'
          ? figures.percent(value)
          : name === 'hair'
            ? t(`choices.hairs.${value as HairStyle}`)
            : name === 'glasses'
              ? t(`choices.glassesKept.${value as GlassesChoice}`)
              : (value ?? t(name === 'bust' ? 'choices.belows.cut' : 'choices.asSeen'));
      return [`${t(`choices.${name}`)} ${label}`];
    });
}
