import { extname } from 'node:path';
import type { VideoOptions } from '#contract';
import { type filmPresetNames, filmPresets, transparent, type VideoFormat } from '#contract/video_options.ts';

interface PresetFlags extends Pick<VideoOptions, 'rate' | 'framing' | 'camera'> {
  out: string;
  preset?: (typeof filmPresetNames)[number];
  format?: VideoFormat;
  size: { width: number; height: number };
  alpha: boolean;
}

/** The flags with the settings of their preset. Options that the user gave replace them. */
export function withPreset<Flags extends PresetFlags>(
  flags: Flags,
  isGiven: (name: string) => boolean,
): Flags {
  if (flags.preset === undefined) return flags;
  const { format, width, height, rate, framing, camera, background } = filmPresets[flags.preset];
  const hasBackground = ['background', 'backgroundImage', 'alpha'].some(isGiven);
  return {
    ...flags,
    // The extension of a path sets the format.
    ...(extname(flags.out) === '' && !isGiven('format') && { format }),
    ...(!isGiven('size') && { size: { width, height } }),
    ...(!isGiven('rate') && { rate }),
    ...(!isGiven('framing') && { framing }),
    ...(!isGiven('camera') && { camera }),
    ...(!hasBackground && { alpha: background === transparent }),
  };
}
