type Key = Pick<KeyboardEvent, 'key' | 'code'>;
type ModKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * The key of a shortcut in lower case, also with Caps Lock. On layouts of another script, such as Russian and Greek, a letter
 * is the Latin one at its place on the keyboard.
 */
export function shortcutKey({ key, code }: Key): string {
  const isOtherScript = /^[[\p{L}\p{M}]--\p{Script=Latin}]$/v.test(key);
  const letter = isOtherScript ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  return (letter ?? key).toLowerCase();
}

/** True for the letter together with Ctrl or ⌘, and no other key. */
export const isModShortcut = (event: ModKey, letter: string): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && shortcutKey(event) === letter;
