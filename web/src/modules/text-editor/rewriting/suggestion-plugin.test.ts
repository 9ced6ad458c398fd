/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { undo } from 'prosemirror-history';
import { TextSelection } from 'prosemirror-state';
import { TextView } from '../ui/text-view';
import { contextOf, findPassage, passageAt, passageBefore, passageMarkdown } from './passage';
import {
  acceptSuggestion,
  closeSuggestion,
  markChanges,
  openSuggestion,
  type PassageState,
} from './suggestion-plugin';

let editor: TextView;
const open = (text: string) => {
  const place = document.body.appendChild(document.createElement('div'));
  editor = new TextView(place, {
    text,
    onUpdate: () => undefined,
    onKey: () => false,
    onSlashItem: () => undefined,
    onFormula: () => undefined,
    onFiles: () => undefined,
  });
};
/** Selects from the start of `words` to the end of `end`; if `end` is '', puts the cursor before `words`. */
function select(words: string, end = words): void {
  const { view } = editor;
  let [from, to] = [-1, -1];
  view.state.doc.descendants((node, position) => {
    const start = node.text?.indexOf(words) ?? -1;
    if (start >= 0 && from < 0) from = position + start;
    const last = node.text?.indexOf(end) ?? -1;
    if (last >= 0 && from >= 0 && to < 0) to = position + last + end.length;
  });
  const { doc, tr } = view.state;
  view.dispatch(tr.setSelection(TextSelection.create(doc, from, end === '' ? from : to)));
}
const markdown = () => {
  const passage = passageAt(editor.view.state);
  return passage && passageMarkdown(editor.view.state.doc, passage);
};
function suggest(follows = false) {
  const { state } = editor.view;
  const passage = follows ? passageBefore(state) : passageAt(state);
  if (passage === null) throw new Error('There is no passage.');
  const onState = jest.fn<(state: PassageState) => void>();
  return { host: openSuggestion(editor.view, { passage, follows, onState }), onState };
}

afterEach(() => {
  editor.destroy();
  document.body.replaceChildren();
});

const text = '# Title\n\nIntro.\n\n## One\n\nFirst **bold** words.\n\n- a\n- b\n\n## Two\n\nLast.\n';

describe('the passage', () => {
  it('is the selected words with their marks, without the spaces at their edges', () => {
    open(text);
    select(' words');
    expect(markdown()).toBe('words');
    select('bold', ' words');
    expect(markdown()).toBe('**bold** words');
  });

  it('consists of whole blocks if several are selected', () => {
    open(text);
    select('words.', 'a');
    expect(markdown()).toBe('First **bold** words.\n\n- a\n- b');
  });

  it('is the section of the cursor, with the surrounding text as context', () => {
    open(text);
    select('a', '');
    expect(markdown()).toBe('## One\n\nFirst **bold** words.\n\n- a\n- b');
    const passage = passageAt(editor.view.state)!;
    expect(passage.name).toBe('the section “One”');
    expect(contextOf(editor.view.state.doc, passage)).toEqual({
      before: 'Title\n\nIntro.',
      after: 'Two\n\nLast.',
    });
  });

  it('is empty in code, and without a word', () => {
    open('```\ncode\n```\n\n---\n');
    select('code');
    expect(markdown()).toBeNull();
  });
});

describe('a passage of a reloaded text', () => {
  const kept = { from: 30, to: 41, isInline: true, name: '' };
  const found = (passage: typeof kept, words: string) => {
    const { doc } = editor.view.state;
    const at = findPassage(doc, passage, words);
    return at && passageMarkdown(doc, at);
  };

  it('is found at its new position, the nearest of several', () => {
    open(`# New\n\n**bold** words and **bold** words\n\n${text}`);
    expect(found(kept, '**bold** words')).toBe('**bold** words');
    expect(findPassage(editor.view.state.doc, kept, '**bold** words')?.from).toBe(21);
    const blocks = '## One\n\nFirst **bold** words.\n\n- a\n- b';
    expect(found({ ...kept, isInline: false }, blocks)).toBe(blocks);
  });

  it('is not found if its words or marks differ', () => {
    open(text);
    expect(found(kept, 'bold words')).toBeNull();
    expect(found({ ...kept, isInline: false }, '## One\n\nFirst words.')).toBeNull();
  });
});

describe('a suggestion', () => {
  it('changes nothing until it is accepted, which is one undo step', () => {
    open(text);
    select('First', ' words');
    const { host } = suggest();
    expect(host.isConnected).toBe(true);
    expect(editor.read()).toBe(text);
    expect(acceptSuggestion(editor.view, 'Some *other* words')).toBe(true);
    expect(editor.read()).toBe(text.replace('First **bold** words', 'Some *other* words'));
    expect(host.isConnected).toBe(false);
    editor.view.dispatch(editor.view.state.tr.insertText('!'));
    undo(editor.view.state, editor.view.dispatch);
    undo(editor.view.state, editor.view.dispatch);
    expect(editor.read()).toBe(text);
  });

  it('replaces blocks, and keeps the bytes of the others', () => {
    open(text);
    select('Last', '');
    suggest();
    acceptSuggestion(editor.view, '## Two\n\nThe end.\n\n1. x\n');
    expect(editor.read()).toBe(text.replace('Last.', 'The end.\n\n1. x'));
  });

  it('is inserted after the block of the cursor if it continues the text', () => {
    open(text);
    select('bold', '');
    suggest(true);
    acceptSuggestion(editor.view, 'More.\n\nAnd more.');
    expect(editor.read()).toBe(text.replace('words.', 'words.\n\nMore.\n\nAnd more.'));
  });

  it('becomes words of a paragraph, whatever blocks it has', () => {
    open('| a |\n| - |\n| one two |\n');
    select('two');
    suggest();
    acceptSuggestion(editor.view, '- three\n- four');
    expect(editor.read()).toBe('| a |\n| - |\n| one three four |\n');
  });

  it('marks removed and added text', () => {
    open('One old word.\n\nSame.\n');
    select('One', 'Same.');
    const { host } = suggest();
    host.innerHTML = '<p>One new word.</p><p>Same.</p>';
    markChanges(editor.view, host);
    expect(Array.from(editor.view.dom.querySelectorAll('del'), (del) => del.textContent)).toEqual(['old']);
    expect(Array.from(host.querySelectorAll('ins'), (ins) => ins.textContent)).toEqual(['new']);
    closeSuggestion(editor.view);
    expect(editor.view.dom.querySelector('del')).toBeNull();
    expect(editor.read()).toBe('One old word.\n\nSame.\n');
  });

  it('detects that its passage was changed or deleted, here or elsewhere', () => {
    open(text);
    select('First', ' words');
    const { onState } = suggest();
    editor.adopt(text.replace('Intro', 'An intro'));
    expect(onState).not.toHaveBeenCalled();
    editor.adopt(text.replace('bold', 'very bold'));
    expect(onState).toHaveBeenLastCalledWith('changed');
    editor.adopt(text.replace('First **bold** words.\n\n', ''));
    expect(onState).toHaveBeenLastCalledWith('deleted');
    expect(acceptSuggestion(editor.view, 'Words')).toBe(false);
  });
});
