/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, describe, expect, it } from '@jest/globals';
import { undo } from 'prosemirror-history';
import { TextSelection } from 'prosemirror-state';
import { TextView } from './text-view';

let editor: TextView;
const open = (text: string) => {
  const place = document.body.appendChild(document.createElement('div'));
  editor = new TextView(place, { text, onUpdate: () => undefined, onKey: () => false });
  return editor;
};
/** Puts the cursor after these words. */
function cursorAfter(words: string): void {
  const { view } = editor;
  view.state.doc.descendants((node, position) => {
    const start = node.text?.indexOf(words) ?? -1;
    if (start < 0) return;
    const at = view.state.doc.resolve(position + start + words.length);
    view.dispatch(view.state.tr.setSelection(new TextSelection(at)));
  });
}
const wordsBeforeCursor = () => {
  const { $from } = editor.view.state.selection;
  return $from.parent.textBetween(0, $from.parentOffset);
};

afterEach(() => {
  editor.destroy();
  document.body.replaceChildren();
});

describe('a text from elsewhere', () => {
  const text = '# Title\n\n\nFirst.\n\n- one\n- two\n\nLast one.';

  it('changes what differs, and leaves the cursor and what can be undone', () => {
    open(text);
    cursorAfter('Last');
    editor.view.dispatch(editor.view.state.tr.insertText(' of mine'));
    const merged = '# A title\n\n\nFirst.\n\n- one\n- number two\n\nNew.\n\nLast of mine one.';
    editor.adopt(merged);
    expect(editor.read()).toBe(merged);
    expect(wordsBeforeCursor()).toBe('Last of mine');
    undo(editor.view.state, editor.view.dispatch);
    expect(editor.read()).toBe(merged.replace(' of mine', ''));
  });

  it('leaves the cursor in a list of which another item was changed', () => {
    open(text);
    cursorAfter('tw');
    editor.adopt(text.replace('one\n', 'number one\n'));
    expect(wordsBeforeCursor()).toBe('tw');
  });

  it('leaves a new paragraph in which nothing is written yet', () => {
    open(text);
    cursorAfter('First.');
    editor.view.dispatch(editor.view.state.tr.split(editor.view.state.selection.from));
    editor.adopt(text.replace('Title', 'Better title'));
    expect(wordsBeforeCursor()).toBe('');
    expect(editor.view.state.doc.childCount).toBe(5);
    expect(editor.read()).toBe(text.replace('Title', 'Better title'));
  });

  it.each([
    ['', 'Something.'],
    ['Something.', 'Another.\n\n---\n\n> Quote\n'],
    ['- a\n- b\n', '1. a\n2. b\n'],
    ['| a |\n| - |\n| b |\n', '| a | c |\n| - | - |\n| b | d |\n'],
    ['Same.\n\nSame.\n\nSame.', 'Same.\n\nSame.'],
    ['a\n\nb\n\nc', 'c\n\nb\n\na'],
  ])('is taken whole: %j to %j', (before, after) => {
    open(before).adopt(after);
    expect(editor.read()).toBe(after);
    expect(editor.view.dom.isConnected).toBe(true);
  });
});
