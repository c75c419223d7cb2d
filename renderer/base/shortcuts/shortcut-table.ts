/**
 * All shortcuts of the page except those of Live, which `live/live-settings.ts` stores: their names, groups and
 * default keys. Tables of actions, menus, tooltips, the list of keys and the settings take them from here.
 */
import type { ParseKeys } from 'i18next';

/** Namespaces of all pages' words. */
export const allNamespaces = ['app', 'library', 'viewer', 'live', 'takes', 'portraits', 'settings'] as const;
/** A key of any page's words; those of the frame have no prefix. */
export type WordsKey = ParseKeys<typeof allNamespaces>;

/** Groups in the order in which they are listed. Those of one page are active together, `anywhere` always. */
export const shortcutGroups = [
  'anywhere',
  'portraits',
  'review',
  'outline',
  'library',
  'viewer',
  'live',
  'takes',
] as const;
export type ShortcutGroup = (typeof shortcutGroups)[number];

export interface Shortcut {
  readonly group: ShortcutGroup;
  readonly words: WordsKey;
  /** The name of a choice (`Light`), shown before its own words (`Edge`). */
  readonly of?: WordsKey;
  /** As `pressed` writes them, or a sequence of two with a space; the first is shown. */
  readonly keys: readonly string[];
  /** Handled by lists, fields and dialogs themselves: it can't be changed. */
  readonly isFixed?: true;
}

const stars = (group: ShortcutGroup, rating: 0 | 1 | 2 | 3 | 4 | 5): Shortcut => ({
  group,
  of: 'library:bulk.rate',
  words: `library:act.stars.${rating}`,
  keys: [String(rating)],
});
type BoardState = 'needs' | 'ready' | 'making' | 'done' | 'unusable';
const boardState = (state: BoardState, digit: number): Shortcut => ({
  group: 'portraits',
  of: 'portraits:board.show',
  words: `portraits:board.states.${state}`,
  keys: [`Alt+${digit}`],
});
const side = (name: 'front' | 'back' | 'right' | 'left' | 'top' | 'below', ...keys: string[]): Shortcut => ({
  group: 'viewer',
  of: 'viewer:from',
  words: `viewer:sides.${name}`,
  keys,
});
const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];

/** By the action's id: stable, because changed keys are stored under it. */
const table = {
  'studio.palette': { group: 'anywhere', words: 'shortcuts.palette', keys: ['Ctrl+K'] },
  'studio.jobs': { group: 'anywhere', words: 'palette.jobs', keys: ['Ctrl+J'] },
  'studio.shortcuts': { group: 'anywhere', words: 'palette.shortcuts', keys: ['?'] },
  'go.portraits': { group: 'anywhere', of: 'palette.go', words: 'pages.portraits', keys: ['G P', 'Ctrl+1'] },
  'go.library': { group: 'anywhere', of: 'palette.go', words: 'pages.library', keys: ['G L', 'Ctrl+2'] },
  'go.live': { group: 'anywhere', of: 'palette.go', words: 'pages.live', keys: ['G V', 'Ctrl+3'] },
  'go.takes': { group: 'anywhere', of: 'palette.go', words: 'pages.takes', keys: ['G T', 'Ctrl+4'] },
  'go.activity': { group: 'anywhere', of: 'palette.go', words: 'pages.activity', keys: ['G A', 'Ctrl+5'] },
  'go.settings': { group: 'anywhere', of: 'palette.go', words: 'pages.settings', keys: ['G S', 'Ctrl+,'] },
  'search.focus': { group: 'anywhere', words: 'shortcuts.search', keys: ['/'], isFixed: true },
  'lists.all': { group: 'anywhere', words: 'shortcuts.selectAll', keys: ['Ctrl+A'], isFixed: true },
  'lists.none': { group: 'anywhere', words: 'shortcuts.selectNone', keys: ['Escape'], isFixed: true },

  'photos.female': { group: 'portraits', words: 'shortcuts.female', keys: ['F'] },
  'photos.male': { group: 'portraits', words: 'shortcuts.male', keys: ['M'] },
  'photos.single': { group: 'portraits', words: 'shortcuts.single', keys: ['1'] },
  'photos.double': { group: 'portraits', words: 'shortcuts.double', keys: ['2'] },
  'photos.noEyelid': { group: 'portraits', words: 'shortcuts.noEyelid', keys: ['0'] },
  'photos.samePerson': { group: 'portraits', words: 'shortcuts.samePerson', keys: ['P'] },
  'photos.separate': { group: 'portraits', words: 'shortcuts.separate', keys: ['Shift+P'] },
  'photos.rename': { group: 'portraits', words: 'portraits:many.names', keys: ['F2'] },
  'photos.undo': { group: 'portraits', words: 'portraits:undo', keys: ['Ctrl+Z'] },
  'photos.redo': { group: 'portraits', words: 'portraits:redo', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'] },
  'tiles.move': { group: 'portraits', words: 'shortcuts.choose', keys: [...arrows, ' '], isFixed: true },
  'tiles.speak': { group: 'portraits', words: 'portraits:board.speak', keys: ['K'] },
  'jobs.open': { group: 'portraits', words: 'portraits:queue.open', keys: ['Enter'], isFixed: true },
  'tiles.review': { group: 'portraits', words: 'portraits:review.open', keys: ['Enter'], isFixed: true },
  'jobs.settle': { group: 'portraits', words: 'portraits:settle.short', keys: ['Enter'], isFixed: true },
  'tiles.crop': { group: 'portraits', words: 'portraits:crop.open', keys: ['C'] },
  'jobs.retry': { group: 'portraits', words: 'portraits:queue.retry', keys: ['R'] },
  'jobs.afterAll': { group: 'portraits', words: 'portraits:queue.afterAll', keys: ['R'] },
  'jobs.fetch': { group: 'portraits', words: 'portraits:queue.fetch', keys: ['R'] },
  'jobs.up': { group: 'portraits', words: 'portraits:queue.up', keys: ['Alt+ArrowUp'] },
  'jobs.down': { group: 'portraits', words: 'portraits:queue.down', keys: ['Alt+ArrowDown'] },
  'jobs.cancel': { group: 'portraits', words: 'portraits:board.cancel', keys: ['Delete'] },
  'tiles.remove': { group: 'portraits', words: 'portraits:remove', keys: ['Delete', 'Backspace'] },
  'board.all': {
    group: 'portraits',
    of: 'portraits:board.show',
    words: 'portraits:board.all',
    keys: ['Alt+1'],
  },
  'board.show.needs': boardState('needs', 2),
  'board.show.ready': boardState('ready', 3),
  'board.show.making': boardState('making', 4),
  'board.show.done': boardState('done', 5),
  'board.show.unusable': boardState('unusable', 6),
  'review.next': { group: 'review', words: 'portraits:review.nextUntagged', keys: ['U'] },
  'review.onePixel': { group: 'review', words: 'portraits:outline.zoom.onePixel', keys: ['Z'] },
  'review.move': {
    group: 'review',
    words: 'shortcuts.move',
    keys: ['ArrowLeft', 'ArrowRight'],
    isFixed: true,
  },

  'outline.hair': {
    group: 'outline',
    of: 'portraits:outline.brush',
    words: 'portraits:outline.hair',
    keys: ['H'],
  },
  'outline.background': {
    group: 'outline',
    of: 'portraits:outline.brush',
    words: 'portraits:outline.background',
    keys: ['B'],
  },
  'outline.smaller': { group: 'outline', words: 'portraits:outline.smaller', keys: ['['] },
  'outline.larger': { group: 'outline', words: 'portraits:outline.larger', keys: [']'] },
  'outline.undo': { group: 'outline', words: 'portraits:outline.undo', keys: ['Ctrl+Z'] },
  'outline.redo': { group: 'outline', words: 'portraits:outline.redo', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'] },
  'outline.zoomIn': { group: 'outline', words: 'portraits:outline.zoom.in', keys: ['+', '='] },
  'outline.zoomOut': { group: 'outline', words: 'portraits:outline.zoom.out', keys: ['-'] },
  'outline.fit': { group: 'outline', words: 'portraits:outline.zoom.fit', keys: ['0'] },
  'outline.onePixel': { group: 'outline', words: 'portraits:outline.zoom.onePixel', keys: ['1'] },
  'outline.keep': { group: 'outline', words: 'portraits:outline.keep', keys: ['Ctrl+S'] },
  'outline.leave': { group: 'outline', words: 'portraits:outline.leave', keys: ['Escape'], isFixed: true },

  'heads.move': { group: 'library', words: 'shortcuts.choose', keys: [...arrows, ' '], isFixed: true },
  'heads.open': { group: 'library', words: 'library:act.open', keys: ['Enter'], isFixed: true },
  'heads.compare': { group: 'library', words: 'library:act.compare', keys: ['C'] },
  'heads.speak': { group: 'library', words: 'library:act.speak', keys: ['K'] },
  'heads.rate.5': stars('library', 5),
  'heads.rate.4': stars('library', 4),
  'heads.rate.3': stars('library', 3),
  'heads.rate.2': stars('library', 2),
  'heads.rate.1': stars('library', 1),
  'heads.rate.0': stars('library', 0),
  'heads.pick': { group: 'library', words: 'library:flags.pick', keys: ['P'] },
  'heads.reject': { group: 'library', words: 'library:flags.reject', keys: ['X'] },
  'heads.unflag': { group: 'library', words: 'library:act.unflag', keys: ['U'] },
  'heads.rename': { group: 'library', words: 'library:bulk.rename', keys: ['F2'] },
  'heads.export': { group: 'library', words: 'library:act.export', keys: ['E'] },
  'heads.trash': { group: 'library', words: 'library:bulk.trash', keys: ['Delete', 'Backspace'] },
  'heads.erase': { group: 'library', words: 'library:page.erase', keys: ['Delete'] },
  'heads.undo': { group: 'library', words: 'library:act.undo', keys: ['Ctrl+Z'] },
  'heads.redo': { group: 'library', words: 'library:act.redo', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'] },
  'page.previous': { group: 'library', words: 'library:page.previous', keys: ['['] },
  'page.next': { group: 'library', words: 'library:page.next', keys: [']'] },
  'page.back': { group: 'library', words: 'library:backToAll', keys: ['Escape'], isFixed: true },
  'look.compare': { group: 'library', words: 'library:headLook.compare', keys: ['\\'] },

  'viewer.orbit': { group: 'viewer', words: 'shortcuts.orbit', keys: arrows, isFixed: true },
  'viewer.frame': { group: 'viewer', words: 'viewer:frame', keys: ['0', 'Numpad0'] },
  'viewer.closer': { group: 'viewer', words: 'viewer:closer', keys: ['+', '='] },
  'viewer.further': { group: 'viewer', words: 'viewer:further', keys: ['-'] },
  // Blender's number pad; the row of digits with Shift, as without it digits are stars.
  'viewer.from.front': side('front', 'Numpad1', 'Shift+1'),
  'viewer.from.back': side('back', 'Ctrl+Numpad1'),
  'viewer.from.right': side('right', 'Numpad3', 'Shift+3'),
  'viewer.from.left': side('left', 'Ctrl+Numpad3'),
  'viewer.from.top': side('top', 'Numpad7', 'Shift+7'),
  'viewer.from.below': side('below', 'Ctrl+Numpad7'),
  'viewer.opposite': { group: 'viewer', words: 'viewer:opposite', keys: ['Numpad9', 'Shift+9'] },
  'viewer.light': { group: 'viewer', words: 'viewer:nextLight', keys: ['L'] },
  'viewer.lightLeft': { group: 'viewer', words: 'viewer:lightLeft', keys: ['Shift+L'] },
  'viewer.lightRight': { group: 'viewer', words: 'viewer:lightRight', keys: ['Alt+L'] },
  'viewer.background': { group: 'viewer', words: 'viewer:nextBackground', keys: ['B'] },
  'viewer.shading': { group: 'viewer', words: 'viewer:nextShading', keys: ['Z'] },
  'viewer.photo': { group: 'viewer', words: 'viewer:nextComparison', keys: ['O'] },
  'viewer.wireframe': { group: 'viewer', words: 'viewer:wireframe', keys: ['W'] },
  'viewer.turntable': { group: 'viewer', words: 'viewer:turntable', keys: ['T'] },
  'viewer.shoot': { group: 'viewer', words: 'viewer:screenshot', keys: ['S'] },
  'viewer.fullscreen': { group: 'viewer', words: 'viewer:fullscreen', keys: ['F'] },

  'stage.turn': { group: 'live', words: 'shortcuts.orbit', keys: arrows, isFixed: true },
  'stage.zoom': { group: 'live', words: 'shortcuts.zoom', keys: ['+', '-', '0'], isFixed: true },

  'takes.play': { group: 'takes', words: 'shortcuts.play', keys: [' '] },
  'takes.loop': { group: 'takes', words: 'takes:loop', keys: ['Shift+L'] },
  'takes.back': { group: 'takes', words: 'takes:editor.keys.back', keys: ['J'] },
  'takes.stop': { group: 'takes', words: 'takes:editor.keys.stop', keys: ['K'] },
  'takes.on': { group: 'takes', words: 'takes:editor.keys.on', keys: ['L'] },
  'takes.toStart': { group: 'takes', words: 'takes:toStart', keys: ['Home'], isFixed: true },
  'takes.step': { group: 'takes', words: 'shortcuts.step', keys: ['ArrowLeft', 'ArrowRight'], isFixed: true },
  'takes.stepSecond': {
    group: 'takes',
    words: 'shortcuts.stepSecond',
    keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'],
    isFixed: true,
  },
  'takes.move': {
    group: 'takes',
    words: 'shortcuts.moveTake',
    keys: ['ArrowUp', 'ArrowDown'],
    isFixed: true,
  },
  'takes.in': { group: 'takes', words: 'takes:editor.keys.in', keys: ['I'] },
  'takes.out': { group: 'takes', words: 'takes:editor.keys.out', keys: ['O'] },
  'takes.selectNone': {
    group: 'takes',
    words: 'takes:editor.keys.selectNone',
    keys: ['Escape'],
    isFixed: true,
  },
  'takes.zoomIn': { group: 'takes', words: 'takes:editor.zoomIn', keys: ['+', '='] },
  'takes.zoomOut': { group: 'takes', words: 'takes:editor.zoomOut', keys: ['-'] },
  'takes.showAll': { group: 'takes', words: 'takes:editor.showAll', keys: ['Shift+Z'] },
  'takes.spectrogram': { group: 'takes', words: 'takes:editor.spectrogram.next', keys: ['S'] },
  'takes.snapping': { group: 'takes', words: 'takes:editor.snapping', keys: ['N'] },
  'takes.marker': { group: 'takes', words: 'takes:editor.addMarker', keys: ['M'] },
  'takes.markerBefore': { group: 'takes', words: 'takes:editor.markerBefore', keys: [','] },
  'takes.markerAfter': { group: 'takes', words: 'takes:editor.markerAfter', keys: ['.'] },
  'takes.cut': { group: 'takes', words: 'takes:editor.cut', keys: ['Delete', 'X'] },
  'takes.copyCurve': { group: 'takes', words: 'takes:editor.copyCurve', keys: ['Ctrl+C'] },
  'takes.pasteCurve': { group: 'takes', words: 'takes:editor.pasteCurve', keys: ['Ctrl+V'] },
  'takes.punch': { group: 'takes', words: 'takes:editor.overdub.record', keys: ['R'] },
  'takes.tryBefore': { group: 'takes', words: 'takes:editor.overdub.before', keys: ['['] },
  'takes.tryNext': { group: 'takes', words: 'takes:editor.overdub.next', keys: [']'] },
  'takes.export': { group: 'takes', words: 'takes:export', keys: ['E'] },
  'takes.rate.5': stars('takes', 5),
  'takes.rate.4': stars('takes', 4),
  'takes.rate.3': stars('takes', 3),
  'takes.rate.2': stars('takes', 2),
  'takes.rate.1': stars('takes', 1),
  'takes.rate.0': stars('takes', 0),
  'takes.tags': { group: 'takes', words: 'takes:list.tags', keys: ['T'] },
  'takes.trash': { group: 'takes', words: 'takes:trash', keys: ['Delete'] },
  'takes.undo': { group: 'takes', words: 'takes:editor.undo', keys: ['Ctrl+Z'] },
  'takes.redo': { group: 'takes', words: 'takes:editor.redo', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'] },
} as const satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof table;
export const shortcutTable: Readonly<Record<ShortcutId, Shortcut>> = table;

/** The part of an action that is in the table: `{ ...shortcut('heads.trash'), icon, run }`. */
export function shortcut(id: ShortcutId): { id: ShortcutId } & Pick<Shortcut, 'words' | 'of' | 'keys'> {
  const { words, of, keys } = shortcutTable[id];
  return { id, words, keys, ...(of && { of }) };
}
