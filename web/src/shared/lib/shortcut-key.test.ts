/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it } from '@jest/globals';
import { isModShortcut, shortcutKey } from './shortcut-key';

it.each([
  ['f', 'KeyF', 'f'],
  ['F', 'KeyF', 'f'],
  ['а', 'KeyF', 'f'],
  ['А', 'KeyF', 'f'],
  ['φ', 'KeyF', 'f'],
  ['ด', 'KeyF', 'f'],
  ['่', 'KeyJ', 'j'],
  // A Dvorak layout has another Latin letter at that place, and an AZERTY layout a comma at that of M.
  ['u', 'KeyF', 'u'],
  [',', 'KeyM', ','],
  ['ü', 'BracketLeft', 'ü'],
  ['ı', 'KeyI', 'ı'],
  ['х', 'BracketLeft', 'х'],
  ['Escape', 'Escape', 'escape'],
])('reads the key %s at %s as %s', (key, code, read) => {
  expect(shortcutKey({ key, code })).toBe(read);
});

it('is a shortcut with Ctrl or ⌘ alone', () => {
  const pressed = (init: KeyboardEventInit) =>
    isModShortcut(new KeyboardEvent('keydown', { key: 'л', code: 'KeyK', ...init }), 'k');
  expect(pressed({ ctrlKey: true })).toBe(true);
  expect(pressed({ metaKey: true })).toBe(true);
  expect(pressed({})).toBe(false);
  expect(pressed({ ctrlKey: true, shiftKey: true })).toBe(false);
  expect(pressed({ ctrlKey: true, altKey: true })).toBe(false);
});
