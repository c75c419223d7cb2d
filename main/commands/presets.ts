import { extname } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import {
  type HeadPreset,
  headPresetNames,
  headPresets,
  type Settings,
  type TakePreset,
  type VideoOptions,
} from '#contract';
import { filmPresetNames, filmPresets, transparent } from '#contract/video_options.ts';

type Presets = Pick<Settings, 'takePresets' | 'headPresets'>;

/** @throws Failure `not_found`, which lists the presets */
export function takePresetNamed(name: string, { takePresets }: Presets): TakePreset {
  const builtIn = filmPresetNames.map((preset): TakePreset => {
    const film: VideoOptions = { ...filmPresets[preset], picture: null, detail: 'auto', subtitles: false };
    return { name: preset, formats: [], rate: 'own', fileName: '{name}', film };
  });
  return presetNamed(name, [...takePresets, ...builtIn]);
}

/** The film of a preset. @throws Failure `not_found`, which lists the presets; `invalid_input` if it has none */
export function filmPresetNamed(name: string, settings: Presets): VideoOptions {
  const { film } = takePresetNamed(name, settings);
  if (film) return film;
  throw new Failure('invalid_input', t('cli.preset_no_film', { name }), {
    hint: t('cli.preset_take_export'),
  });
}

/** @throws Failure `not_found`, which lists the presets */
export const headPresetNamed = (name: string, { headPresets: own }: Presets): HeadPreset =>
  presetNamed(name, [
    ...own,
    ...headPresetNames.map((preset): HeadPreset => {
      const { formats, names } = headPresets[preset];
      return { name: preset, formats: [...formats], names, fileName: '{name}' };
    }),
  ]);

/** The user's own come first: they may have the name of a built-in one. */
function presetNamed<Preset extends { name: string }>(name: string, presets: readonly Preset[]): Preset {
  const found = presets.find((preset) => preset.name === name);
  if (found) return found;
  const names = presets.map((preset) => preset.name).join(', ');
  throw new Failure('not_found', t('cli.no_preset', { name }), { hint: t('cli.presets_are', { names }) });
}

interface FilmFlags
  extends Pick<VideoOptions, 'rate' | 'framing' | 'camera' | 'detail' | 'background' | 'subtitles'> {
  out: string;
  format?: VideoOptions['format'];
  size: { width: number; height: number };
  alpha: boolean;
}

/** The flags with the settings of a preset. Options that the user gave replace them. */
export function withPreset<Flags extends FilmFlags>(
  flags: Flags,
  preset: VideoOptions,
  isGiven: (name: string) => boolean,
): Flags {
  const { format, width, height, rate, framing, camera, detail, background, subtitles } = preset;
  const hasBackground = ['background', 'backgroundImage', 'alpha'].some(isGiven);
  const isClear = background === transparent;
  return {
    ...flags,
    // The extension of a path sets the format.
    ...(extname(flags.out) === '' && !isGiven('format') && { format }),
    ...(!isGiven('size') && { size: { width, height } }),
    ...(!isGiven('rate') && { rate }),
    ...(!isGiven('framing') && { framing }),
    ...(!isGiven('camera') && { camera }),
    ...(!isGiven('detail') && { detail }),
    ...(!isGiven('subtitles') && { subtitles }),
    ...(!hasBackground && { alpha: isClear, ...(!isClear && { background }) }),
  };
}
