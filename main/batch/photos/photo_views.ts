import type { Photo } from '#contract';

/** The view that a file name states. */
export interface NamedView {
  /** The name without the view and its separator; empty if the name is only a view. */
  stem: string;
  /** Canonical view name; each photo of a person has a different one. */
  view: string;
  isFront: boolean;
}

const views: Readonly<Record<string, string>> = {
  front: 'front',
  frontal: 'front',
  正面: 'front',
  正脸: 'front',
  left: 'left',
  左: 'left',
  左侧: 'left',
  左脸: 'left',
  左侧面: 'left',
  right: 'right',
  右: 'right',
  右侧: 'right',
  右脸: 'right',
  右侧面: 'right',
  profile: 'profile',
  side: 'profile',
  侧面: 'profile',
  侧脸: 'profile',
  threequarter: '3/4',
  quarter: '3/4',
  '34': '3/4',
  '45': '45',
  '90': '90',
  半侧: '3/4',
  半侧面: '3/4',
  back: 'back',
  背面: 'back',
};
/** Longest first, so that 左侧 is not matched as 侧. */
const chinese = Object.keys(views)
  .filter((word) => /\p{Script=Han}/u.test(word))
  .sort((a, b) => b.length - a.length);
const latin = Object.keys(views).filter((word) => !/\p{Script=Han}/u.test(word));

const between = '[\\s._+-]';
/** `anna_front`, `anna-34-left`, `front`; 3-4 and three-quarter count as one word. */
const byLatin = new RegExp(
  `^(?:(.*?)${between}+)??((?:${latin.join('|')})(?:${between}+(?:${latin.join('|')}))*)$`,
);
/** `安娜正面`, `anna_左侧`, `正面`. */
const byChinese = new RegExp(`^(.*?)${between}*((?:${chinese.join('|')})+)$`, 'u');

/** The name without its extension, normalized for comparison. */
export const stemOf = (fileName: string): string =>
  fileName
    .normalize('NFC')
    .replace(/\.[^.]*$/, '')
    .trim()
    .toLowerCase();

/**
 * Parses the view in a file name: `anna_front.jpg`, `bo-profile-left.png`, `安娜左侧.jpg`; null if the name has
 * none.
 */
export function viewByName(fileName: string): NamedView | null {
  const name = stemOf(fileName)
    .replace(/three[\s._-]*quarters?/g, 'threequarter')
    .replace(/(^|[\s._-])3[\s._-]4(?=$|[\s._-])/g, '$134');
  const found = byLatin.exec(name) ?? byChinese.exec(name);
  if (!found) return null;
  const [, stem = '', words = ''] = found;
  const parts = /\p{Script=Han}/u.test(words)
    ? (words.match(new RegExp(chinese.join('|'), 'gu')) ?? [])
    : words.split(new RegExp(`${between}+`));
  const view = parts.map((part) => views[part] ?? part).join(' ');
  // A bare number is not a view: 34.jpg is the thirty-fourth photo.
  if (stem === '' && /^\d+$/.test(words)) return null;
  return { stem, view, isFront: view === 'front' };
}

/** Yaw in degrees that a view name implies, used until the yaw is measured. */
const yawOfView: Readonly<Record<string, number>> = { front: 0, '3/4': 40, '45': 45, back: 180 };

/**
 * Returns how far a photo is from a usable front photo, in degrees; photos that would be refused come last.
 */
export function frontness({
  fileName,
  yaw,
  check,
  findings,
}: Pick<Photo, 'fileName' | 'yaw' | 'check' | 'findings'>): number {
  const named = viewByName(fileName);
  const turned = yaw === null ? (named ? (yawOfView[named.view] ?? 70) : 15) : Math.abs(yaw);
  const isBlocked = check === 'blocked' && findings.some(({ severity }) => severity === 'blocking');
  return turned + (isBlocked ? 200 : 0);
}
