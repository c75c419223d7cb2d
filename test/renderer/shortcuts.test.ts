/** A shortcut is written as it is printed on the keys of the machine, wherever it is shown. */
import { expect, test } from 'vitest';
import { printed } from '../../renderer/base/keyboard.ts';
import { dictionary } from '../../renderer/frame/dictionary.ts';
import { rendererSources } from '../fixtures/renderer_sources.ts';

test.each([
  ['Ctrl+Z', 'Ctrl Z', '⌘ Z'],
  ['Ctrl+Shift+Z', 'Ctrl Shift Z', '⌘ ⇧ Z'],
  ['Alt+ArrowUp', 'Alt ↑', '⌥ ↑'],
  ['Ctrl+Numpad1', 'Ctrl Num 1', '⌘ Num 1'],
  // An accelerator of Live: the key that is called so on a Mac too.
  ['Control+Alt+R', 'Ctrl Alt R', '⌃ ⌥ R'],
  ['Ctrl++', 'Ctrl +', '⌘ +'],
  ['Ctrl', 'Ctrl', '⌘'],
  ['Shift', 'Shift', '⇧'],
  ['+', '+', '+'],
  [' ', '␣', '␣'],
  ['G P', 'G P', 'G P'],
])('%s', (shortcut, elsewhere, onMac) => {
  expect([printed(shortcut, false), printed(shortcut, true)]).toEqual([elsewhere, onMac]);
});

test('no text and no screen has a modifier of one platform in it', () => {
  const sources = rendererSources('**/*.{ts,tsx}');
  const texts = JSON.stringify(dictionary).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  // A dial of a take's retargeting is called Shift.
  expect(texts.filter((text) => /\bCtrl\b|\bAlt\b|Shift(?!")|[⌘⌥⇧⌃]/.test(text))).toEqual([]);
  const written = Object.entries(sources)
    .filter(([file]) => !file.endsWith('base/keyboard.ts'))
    .filter(([, source]) => {
      const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
      return /[⌘⌥⇧⌃]|["'>`](?:Ctrl|Alt|Shift) [^'"]/.test(code);
    })
    .map(([file]) => file);
  expect(written).toEqual([]);
});
