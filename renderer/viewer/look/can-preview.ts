import {
  type AllHeadOptions,
  defaultHeadOptions,
  type HeadOptions,
} from '@likeness/proto/heads/head_options.ts';

/** The options that a head was made with, and those of the draft. */
export interface Look {
  made: HeadOptions;
  wanted: HeadOptions;
}

export const allOptions = (options: HeadOptions): AllHeadOptions =>
  ({ ...defaultHeadOptions, ...options }) as AllHeadOptions;

/** Whether the present mesh can preview a change. The others show once the head is made. */
export function canPreview(name: keyof HeadOptions, { made, wanted }: Look): boolean {
  const [before, after] = [allOptions(made), allOptions(wanted)];
  switch (name) {
    case 'head':
    case 'neck':
    case 'bust':
      return true;
    case 'hair':
      return after.hair === 'bald' && before.hair === 'seen';
    // As photographed again: the colour of the photo is not in the file.
    case 'hairColour':
      return (
        after.hair === 'bald' ||
        (after.hairColour !== null && before.hair === 'seen' && after.hair === 'seen')
      );
    case 'eyeColour':
      return after.eyeColour !== null;
    default:
      return false;
  }
}
