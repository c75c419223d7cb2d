import {
  type AllHeadOptions,
  defaultHeadOptions,
  type HeadOptions,
} from '@likeness/proto/heads/head_options.ts';

/** What a head was made with, and what is wanted. */
export interface Look {
  made: HeadOptions;
  wanted: HeadOptions;
}

export const allOptions = (options: HeadOptions): AllHeadOptions =>
  ({ ...defaultHeadOptions, ...options }) as AllHeadOptions;

/** Whether the head that is there can show a change; the others are seen when it is made. */
export function showsAtOnce(name: keyof HeadOptions, { made, wanted }: Look): boolean {
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
