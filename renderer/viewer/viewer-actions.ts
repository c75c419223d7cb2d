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
import type { Action } from '../base/actions.ts';
import type { WordsKey } from '../base/shortcuts/shortcut-table.ts';
import { shortcut } from '../base/shortcuts/shortcut-table.ts';
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

const sides: readonly ViewSide[] = ['front', 'back', 'right', 'left', 'top', 'below'];

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
    ...shortcut('viewer.frame'),
    icon: IconFocusCentered,
    run: ({ frame }) => frame(),
  },
  {
    ...shortcut('viewer.closer'),
    icon: IconZoomIn,
    repeats: true,
    run: ({ zoom }) => zoom(0.12),
  },
  {
    ...shortcut('viewer.further'),
    icon: IconZoomOut,
    repeats: true,
    run: ({ zoom }) => zoom(-0.12),
  },
  ...sides.map(
    (side): Action<ViewerAt> => ({
      ...shortcut(`viewer.from.${side}`),
      icon: IconCube,
      run: ({ lookFrom }) => lookFrom(side),
    }),
  ),
  {
    ...shortcut('viewer.opposite'),
    icon: IconArrowsExchange,
    run: ({ viewFromBack }) => viewFromBack(),
  },
  {
    ...shortcut('viewer.light'),
    icon: IconBulb,
    run: () => changeAppearance({ light: after(lightRigs, appearanceNow().light) }),
  },
  ...eachOf('viewer:light', 'viewer:lights', lightRigs, IconBulb, (light) => changeAppearance({ light })),
  {
    ...shortcut('viewer.lightLeft'),
    icon: IconRotate,
    repeats: true,
    applies: all,
    run: () => changeAppearance({ lightTurn: turned(-15) }),
  },
  {
    ...shortcut('viewer.lightRight'),
    icon: IconRotateClockwise,
    repeats: true,
    applies: all,
    run: () => changeAppearance({ lightTurn: turned(15) }),
  },
  {
    ...shortcut('viewer.background'),
    icon: IconBackground,
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
    ...shortcut('viewer.shading'),
    icon: IconCube,
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
    ...shortcut('viewer.photo'),
    icon: IconPhoto,
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
    ...shortcut('viewer.wireframe'),
    icon: IconGrid3x3,
    applies: all,
    run: () => changeAppearance({ wireframe: !appearanceNow().wireframe }),
  },
  {
    ...shortcut('viewer.turntable'),
    icon: IconRotate360,
    applies: all,
    run: () => changeAppearance({ turning: !appearanceNow().turning }),
  },
  {
    ...shortcut('viewer.shoot'),
    icon: IconCamera,
    applies: all,
    run: ({ shoot }) => shoot(),
  },
  {
    ...shortcut('viewer.fullscreen'),
    icon: IconMaximize,
    applies: all,
    run: ({ fullscreen }) => fullscreen(),
  },
];
