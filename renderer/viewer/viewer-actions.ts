/** Actions of the head viewer. No import of three.js here, since the list of keys reads them, too. */
import {
  IconArrowsExchange,
  IconBackground,
  IconBulb,
  IconCamera,
  IconCube,
  IconFocusCentered,
  IconGrid3x3,
  IconMaximize,
  IconPhoto,
  IconRotate,
  IconRotate360,
  IconRotateClockwise,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import type { Action, WordsKey } from '../base/actions.ts';
import {
  after,
  appearanceNow,
  backgrounds,
  changeAppearance,
  comparisons,
  lightRigs,
  shadings,
  type ViewSide,
} from './appearance.ts';

/** A viewer, as far as its actions need it. */
export interface ViewerAt {
  /** False: only light and framing can be changed, as beside an empty library. */
  all: boolean;
  hasPhoto: boolean;
  frame(): void;
  /** Closer by this share of the distance; negative: away. */
  zoom(by: number): void;
  lookFrom(side: ViewSide): void;
  /** To the other side of the head. */
  viewFromBack(): void;
  shoot(): void;
  fullscreen(): void;
}

const all = ({ all }: ViewerAt): boolean => all;
const withPhoto = ({ all, hasPhoto }: ViewerAt): boolean => all && hasPhoto;
const turned = (by: number): number => ((appearanceNow().lightTurn + by + 540) % 360) - 180;

/** Blender's number pad; the row of digits with Shift, as without it digits are stars. */
const sides: readonly (readonly [ViewSide, readonly string[]])[] = [
  ['front', ['Numpad1', 'Shift+1']],
  ['back', ['Ctrl+Numpad1']],
  ['right', ['Numpad3', 'Shift+3']],
  ['left', ['Ctrl+Numpad3']],
  ['top', ['Numpad7', 'Shift+7']],
  ['below', ['Ctrl+Numpad7']],
];

/** One of several ways, each by its name: what a menu of the viewer has, for the palette. */
function eachOf<T extends string>(
  of: WordsKey,
  /** Where the words of all of them are. */
  words: string,
  options: readonly T[],
  icon: NonNullable<Action['icon']>,
  choose: (option: T) => void,
  applies: (at: ViewerAt) => boolean = () => true,
): Action<ViewerAt>[] {
  return options.map((option) => ({
    id: `${of.replace(':', '.')}.${option}`,
    of,
    words: `${words}.${option}` as WordsKey,
    icon,
    applies,
    run: () => choose(option),
  }));
}

export const viewerActions: readonly Action<ViewerAt>[] = [
  {
    id: 'viewer.frame',
    words: 'viewer:frame',
    icon: IconFocusCentered,
    keys: ['0', 'Numpad0'],
    run: ({ frame }) => frame(),
  },
  {
    id: 'viewer.closer',
    words: 'viewer:closer',
    icon: IconZoomIn,
    keys: ['+', '='],
    repeats: true,
    run: ({ zoom }) => zoom(0.12),
  },
  {
    id: 'viewer.further',
    words: 'viewer:further',
    icon: IconZoomOut,
    keys: ['-'],
    repeats: true,
    run: ({ zoom }) => zoom(-0.12),
  },
  ...sides.map(
    ([side, keys]): Action<ViewerAt> => ({
      id: `viewer.from.${side}`,
      of: 'viewer:from',
      words: `viewer:sides.${side}`,
      icon: IconCube,
      keys,
      run: ({ lookFrom }) => lookFrom(side),
    }),
  ),
  {
    id: 'viewer.opposite',
    words: 'viewer:opposite',
    icon: IconArrowsExchange,
    keys: ['Numpad9', 'Shift+9'],
    run: ({ viewFromBack }) => viewFromBack(),
  },
  {
    id: 'viewer.light',
    words: 'viewer:nextLight',
    icon: IconBulb,
    keys: ['L'],
    run: () => changeAppearance({ light: after(lightRigs, appearanceNow().light) }),
  },
  ...eachOf('viewer:light', 'viewer:lights', lightRigs, IconBulb, (light) => changeAppearance({ light })),
  {
    id: 'viewer.lightLeft',
    words: 'viewer:lightLeft',
    icon: IconRotate,
    keys: ['Shift+L'],
    repeats: true,
    applies: all,
    run: () => changeAppearance({ lightTurn: turned(-15) }),
  },
  {
    id: 'viewer.lightRight',
    words: 'viewer:lightRight',
    icon: IconRotateClockwise,
    keys: ['Alt+L'],
    repeats: true,
    applies: all,
    run: () => changeAppearance({ lightTurn: turned(15) }),
  },
  {
    id: 'viewer.background',
    words: 'viewer:nextBackground',
    icon: IconBackground,
    keys: ['B'],
    applies: all,
    run: () => changeAppearance({ background: after(backgrounds, appearanceNow().background) }),
  },
  ...eachOf(
    'viewer:background',
    'viewer:backgrounds',
    backgrounds,
    IconBackground,
    (background) => changeAppearance({ background }),
    all,
  ),
  {
    id: 'viewer.shading',
    words: 'viewer:nextShading',
    icon: IconCube,
    keys: ['Z'],
    applies: all,
    run: () => changeAppearance({ shading: after(shadings, appearanceNow().shading) }),
  },
  ...eachOf(
    'viewer:shading',
    'viewer:shadings',
    shadings,
    IconCube,
    (shading) => changeAppearance({ shading }),
    all,
  ),
  {
    id: 'viewer.photo',
    words: 'viewer:nextComparison',
    icon: IconPhoto,
    keys: ['O'],
    applies: withPhoto,
    run: () => changeAppearance({ photo: after(comparisons, appearanceNow().photo) }),
  },
  ...eachOf(
    'viewer:compare',
    'viewer:comparisons',
    comparisons,
    IconPhoto,
    (photo) => changeAppearance({ photo }),
    withPhoto,
  ),
  {
    id: 'viewer.wireframe',
    words: 'viewer:wireframe',
    icon: IconGrid3x3,
    keys: ['W'],
    applies: all,
    run: () => changeAppearance({ wireframe: !appearanceNow().wireframe }),
  },
  {
    id: 'viewer.turntable',
    words: 'viewer:turntable',
    icon: IconRotate360,
    keys: ['T'],
    applies: all,
    run: () => changeAppearance({ turning: !appearanceNow().turning }),
  },
  {
    id: 'viewer.shoot',
    words: 'viewer:screenshot',
    icon: IconCamera,
    keys: ['S'],
    applies: all,
    run: ({ shoot }) => shoot(),
  },
  {
    id: 'viewer.fullscreen',
    words: 'viewer:fullscreen',
    icon: IconMaximize,
    keys: ['F'],
    applies: all,
    run: ({ fullscreen }) => fullscreen(),
  },
];
