/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { undo, undoDepth } from 'prosemirror-history';
import { Slice } from 'prosemirror-model';
import { NodeSelection, Selection, TextSelection } from 'prosemirror-state';
import '../../../../../test/web/longer-timeout';
import { writeFormula } from '../document/formula';
import { runBoth, deleteRange, insertFormula } from './commands';
import { slashMenuOf } from './slash-plugin';
import { selectedFormula, TextView } from './text-view';

let editor: TextView;
let chosen: string[] = [];
const open = (text: string) => {
  const place = document.body.appendChild(document.createElement('div'));
  editor = new TextView(place, {
    text,
    onUpdate: () => undefined,
    onKey: () => false,
    onFormula: () => chosen.push('open formula'),
    onFiles: (files) => chosen.push(...Array.from(files, ({ name }) => name)),
    onSlashItem: (item, { from, to }) => {
      const { view } = editor;
      chosen.push(item.label);
      if (item.command !== null) runBoth(deleteRange(from, to), item.command)(view.state, view.dispatch);
    },
  });
  return editor;
};
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

/** Inserts each character as a key press would, through the plugins' `handleTextInput`. */
function type(text: string): void {
  const { view } = editor;
  for (const letter of text) {
    const { from, to } = view.state.selection;
    const insert = () => view.state.tr.insertText(letter, from, to);
    if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, letter, insert)))
      view.dispatch(insert());
  }
}
const press = (key: string) =>
  editor.view.someProp('handleKeyDown', (handle) =>
    handle(editor.view, new KeyboardEvent('keydown', { key })),
  );
const offered = () => slashMenuOf(editor.view.state)?.items.map(({ label }) => label) ?? [];

afterEach(() => {
  chosen = [];
  editor.destroy();
  document.body.replaceChildren();
});

it('has the markers of lists, bars and first columns on the side of the text, as it is shown', () => {
  const { view } = open(
    '- אחת\n- two\n  1. three\n\n1. one\n\n- [ ] واحد\n\n> One אחת שתיים\n\n| אחת | b |\n| - | - |\n| c | d |',
  );
  const named = () =>
    Array.from(view.dom.querySelectorAll<HTMLElement>('ul, ol, li, blockquote, table')).map(
      ({ localName, dir }) => `${localName} ${dir}`.trim(),
    );
  expect(named()).toEqual([
    'ul rtl',
    'li',
    'li ltr',
    'ol',
    'li',
    'ol',
    'li',
    'ul rtl',
    'li',
    'blockquote rtl',
    'table rtl',
  ]);
  cursorAfter('one');
  const { from } = view.state.selection;
  view.dispatch(view.state.tr.insertText('אחת', from - 3, from));
  expect(named()[5]).toBe('ol rtl');
});

describe('a text from elsewhere', () => {
  const text = '# Title\n\n\nFirst.\n\n- one\n- two\n\nLast one.';

  it('changes only differences, and keeps the cursor and the undo history', () => {
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

  it('keeps the cursor in a list if another item was changed', () => {
    open(text);
    cursorAfter('tw');
    editor.adopt(text.replace('one\n', 'number one\n'));
    expect(wordsBeforeCursor()).toBe('tw');
  });

  it('keeps a new empty paragraph', () => {
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
  ])('is replaced as a whole: %j to %j', (before, after) => {
    open(before).adopt(after);
    expect(editor.read()).toBe(after);
    expect(editor.view.dom.isConnected).toBe(true);
  });
});

it('has no kerning while it has a long word, which would freeze the page', () => {
  const { view } = open('One');
  expect(view.dom.dataset['longWords']).toBeUndefined();
  view.dispatch(view.state.tr.insertText('a'.repeat(600)));
  expect(view.dom.dataset['longWords']).toBe('true');
  view.dispatch(view.state.tr.delete(1, 400));
  expect(view.dom.dataset['longWords']).toBeUndefined();
});

describe('a formula', () => {
  it.each([
    ['$x^2$', 'a $x^2$'],
    ['\\(y\\)', 'a \\(y\\)'],
    ['$5-$10 or $5 and $6 ', 'a $5-$10 or $5 and $6'],
    ['$5x$, ', 'a $5x$,'],
  ])('is made of typed %s', (typed, expected) => {
    open('a');
    cursorAfter('a');
    type(` ${typed}`);
    expect(editor.read()).toBe(expected);
    expect(editor.view.dom.querySelectorAll('.formula')).toHaveLength(typed.includes('-') ? 0 : 1);
  });

  it('is a block in a paragraph of its own', () => {
    open('a\n\nb');
    cursorAfter('b');
    type(' ');
    editor.view.dispatch(editor.view.state.tr.delete(4, 6));
    type('$$x$$');
    expect(editor.read()).toBe('a\n\n$$x$$');
    expect(editor.view.state.doc.child(1).type.name).toBe('math_block');
    type('c');
    expect(editor.read()).toBe('a\n\n$$x$$\n\nc');
  });

  it.each([
    ['$$', '$$\nx\n$$'],
    ['\\[', '$$\nx\n$$'],
    ['- $$', '- $$\n  x\n  $$'],
  ])('is opened by Enter in a line of %s, which it replaces', (typed, expected) => {
    const { view } = open('b');
    view.dispatch(view.state.tr.delete(1, 2));
    type(typed);
    const before = editor.read();
    press('Enter');
    expect(chosen).toEqual(['open formula']);
    expect(editor.read()).toBe(before);
    const formula = writeFormula('x', true);
    if (formula) insertFormula(formula, true)(view.state, view.dispatch);
    expect(editor.read()).toBe(expected);
    undo(view.state, view.dispatch);
    expect(editor.read()).toBe(before);
  });

  it.each(['a $$', '`$$'])('is not opened by Enter in a line of %s', (typed) => {
    const { view } = open('b');
    view.dispatch(view.state.tr.delete(1, 2));
    type(typed);
    press('Enter');
    expect(chosen).toEqual([]);
  });

  it.each(['a', 'c'])('is beside other words in the table cell %s', (cell) => {
    open('| a | b |\n| - | - |\n| c | d |');
    cursorAfter(cell);
    const { view } = editor;
    view.dispatch(view.state.tr.delete(view.state.selection.from - 1, view.state.selection.from));
    type('$$x$$');
    expect(editor.read()).toContain('| $$x$$ |');
    expect(view.dom.querySelectorAll('.formula[data-display]')).toHaveLength(1);
  });

  it('is not made in code', () => {
    open('Some `code`.');
    cursorAfter('code');
    type(' $x^2$ and $$y$$ and **b** ');
    expect(editor.view.dom.querySelectorAll('.formula, strong')).toHaveLength(0);
    expect(editor.read()).toBe('Some `code $x^2$ and $$y$$ and **b** `.');
  });

  it('of a display in a line stays one', () => {
    open('A $$x$$ here.');
    const { view } = editor;
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, 3)));
    expect(selectedFormula(view.state)).toEqual({ tex: 'x', display: true, inLine: true });
    const formula = writeFormula('a\nb', true, true);
    if (formula) insertFormula(formula, false)(view.state, view.dispatch);
    expect(editor.read()).toBe('A $$a b$$ here.');
  });

  it('is typeset, and opened by Enter when it is selected', async () => {
    open('A $x$ here.\n\n$$\ny\n$$');
    await waitFor(() => expect(editor.view.dom.querySelectorAll('.katex')).toHaveLength(2));
    const { view } = editor;
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, 3)));
    expect(selectedFormula(view.state)).toEqual({ tex: 'x', display: false, inLine: true });
    press('Enter');
    expect(chosen).toEqual(['open formula']);
    const formula = writeFormula('a\\cdot b', false);
    if (formula) insertFormula(formula, false)(view.state, view.dispatch);
    expect(editor.read()).toBe('A $a\\cdot b$ here.\n\n$$\ny\n$$');
    undo(view.state, view.dispatch);
    expect(editor.read()).toBe('A $x$ here.\n\n$$\ny\n$$');
  });
});

describe('the menu of a typed slash', () => {
  it('is filtered by letters, navigated by arrow keys, and changes the block in one step', () => {
    open('Some words.\n\nNext');
    cursorAfter('Next');
    type(' /');
    expect(offered()).toContain('Image');
    type('h');
    expect(offered()).toEqual(['Heading 1', 'Heading 2', 'Heading 3', 'Divider']);
    press('ArrowDown');
    expect(editor.view.dom.getAttribute('aria-activedescendant')).toBe('slash-menu-1');
    press('Enter');
    expect(chosen).toEqual(['Heading 2']);
    expect(offered()).toEqual([]);
    expect(editor.read()).toBe('Some words.\n\n## Next');
    undo(editor.view.state, editor.view.dispatch);
    expect(editor.read()).not.toContain('##');
  });

  it('makes a list of tasks of a paragraph', () => {
    open('Milk');
    cursorAfter('Milk');
    type(' /todo');
    press('Enter');
    expect(editor.read()).toBe('- [ ] Milk');
  });

  it('does not open in words, dates and code, and closes by Escape or without a match', () => {
    open('either\n\n```\ncode \n```');
    cursorAfter('either');
    type('/or');
    expect(offered()).toEqual([]);
    cursorAfter('code ');
    type('/');
    expect(offered()).toEqual([]);
    cursorAfter('either/or');
    type(' /');
    expect(press('Escape')).toBe(true);
    expect(offered()).toEqual([]);
    type('xyz /qqq');
    expect(offered()).toEqual([]);
  });
});

describe('a block that is inserted before other text', () => {
  it.each([
    ['table', '| New | Column 2 | Column 3 |\n| - | - | - |\n| | | |\n| | | |'],
    ['divider', '---\n\nNew'],
  ])('keeps that text while the user types on: %s', (item, expected) => {
    open('a\n\nb');
    editor.view.dispatch(editor.view.state.tr.setSelection(TextSelection.create(editor.view.state.doc, 4)));
    type(`/${item}`);
    press('Enter');
    type('New');
    expect(editor.read()).toBe(`a\n\n${expected}\n\nb`);
  });

  it('is a formula of the dialog too', () => {
    open('a\n\nb');
    cursorAfter('a');
    const formula = writeFormula('x', true);
    if (formula) insertFormula(formula, true)(editor.view.state, editor.view.dispatch);
    type('New');
    expect(editor.read()).toBe('a\n\n$$\nx\n$$\n\nNew\n\nb');
  });
});

it('has nothing to undo before it is edited, also where a paragraph follows its last table', () => {
  open('| a |\n| - |\n| 1 |');
  const { state } = editor.view;
  expect(state.doc.lastChild?.type.name).toBe('paragraph');
  expect(undoDepth(state)).toBe(0);
});

it.each(['---', '```\ncode\n```', '| a |\n| - |\n| 1 |', '$$\nx\n$$'])(
  'has a place for the cursor after a last block: %j',
  (block) => {
    open(`a\n\n${block}`);
    expect(editor.read()).toBe(`a\n\n${block}`);
    editor.view.dispatch(editor.view.state.tr.setSelection(Selection.atEnd(editor.view.state.doc)));
    type('b');
    expect(editor.read()).toBe(`a\n\n${block}\n\nb`);
  },
);

describe('a code block', () => {
  const typeFence = (fence: string, key: string) => {
    open('a\n\nb');
    cursorAfter('b');
    editor.view.dispatch(editor.view.state.tr.delete(4, 5));
    type(fence);
    if (key === 'Enter') press(key);
    else type(key);
    type('code');
    return editor.read();
  };

  it.each([
    ['```mermaid', 'Enter', '```mermaid\ncode\n```'],
    ['```C++', ' ', '```c++\ncode\n```'],
    ['```', 'Enter', '```\ncode\n```'],
  ])('is made of typed %s and %j', (fence, key, expected) => {
    expect(typeFence(fence, key)).toBe(`a\n\n${expected}`);
  });

  it('for a diagram is in the menu of a typed slash', () => {
    open('');
    type('/mermaid');
    press('Enter');
    type('flowchart LR');
    expect(editor.read()).toBe('```mermaid\nflowchart LR\n```');
  });
});

describe('the menu of a slash from the keyboard of a phone', () => {
  const compose = (
    text: string,
    changes: Partial<Record<'paste' | 'uiEvent' | 'addToHistory', unknown>> = {},
  ) => {
    const { view } = editor;
    const tr = view.state.tr.insertText(text).setMeta('composition', 1);
    for (const [name, value] of Object.entries(changes)) tr.setMeta(name, value);
    view.dispatch(tr);
  };

  it('opens after a space and a slash, and is filtered by composed letters', () => {
    open('Next');
    cursorAfter('Next');
    compose(' /');
    expect(offered()).toContain('Table');
    compose('ta');
    expect(offered()).toEqual(['Tasks', 'Table']);
  });

  it('stays closed for pasted, dropped, merged or restored text', () => {
    open('Next ');
    cursorAfter('Next ');
    compose('/', { uiEvent: 'paste' });
    expect(offered()).toEqual([]);
    undo(editor.view.state, editor.view.dispatch);
    compose('/', { addToHistory: false });
    expect(offered()).toEqual([]);
  });
});

it('takes dropped files, but moves an image that is dragged within the text', () => {
  open('Text');
  const { view } = editor;
  view.posAtCoords = () => null;
  const files = [new File(['x'], 'a.md')];
  const drop = Object.assign(new Event('drop'), { dataTransfer: { files } }) as unknown as DragEvent;
  const handled = () => view.someProp('handleDrop', (handle) => handle(view, drop, Slice.empty, false));
  expect(handled()).toBe(true);
  expect(chosen).toEqual(['a.md']);
  view.dragging = { slice: Slice.empty, move: true };
  expect(handled()).toBeFalsy();
  expect(chosen).toEqual(['a.md']);
});

function pasteText(text: string): void {
  const { view } = editor;
  const slice = view.someProp('clipboardTextParser', (parse) =>
    parse(text, view.state.selection.$from, false, view),
  );
  view.dispatch(view.state.tr.replaceSelection(slice!));
}

it('makes a table of pasted lines with tabs', () => {
  open('');
  pasteText('City\tBoats\nOslo\t10\nBergen\t\n');
  expect(editor.read()).toBe('| City | Boats |\n| - | - |\n| Oslo | 10 |\n| Bergen | |');
});

it.each([
  ['\tQ1\tQ2\nNorth\t10\t20', '| | Q1 | Q2 |\n| - | - | - |\n| North | 10 | 20 |'],
  ['City\tBoats\nOslo\t10\nBergen', '| City | Boats |\n| - | - |\n| Oslo | 10 |\n| Bergen | |'],
  ['City\tBoats\tCrew\nOslo\t10\n', '| City | Boats | Crew |\n| - | - | - |\n| Oslo | 10 | |'],
  [
    'Region\tCity\tN\nNorth\tOslo\t10\n\tBergen\t20',
    '| Region | City | N |\n| - | - | - |\n| North | Oslo | 10 |\n| | Bergen | 20 |',
  ],
  ['Region\tCity\nNorth\tOslo\n\tBergen', '| Region | City |\n| - | - |\n| North | Oslo |\n| | Bergen |'],
  ['A\tB\n\t\n1\t2', '| A | B |\n| - | - |\n| | |\n| 1 | 2 |'],
])('makes a table of pasted lines with empty cells: %j', (text, markdown) => {
  open('');
  pasteText(text);
  expect(editor.read()).toBe(markdown);
});

it.each([
  [
    'Name\tNote\nSam\t"line1\nline2"\nPat\tok',
    '| Name | Note |\n| - | - |\n| Sam | line1<br>line2 |\n| Pat | ok |',
  ],
  ['A\tB\n"a ""b""\nc"\t"d"', '| A | B |\n| - | - |\n| a "b"<br>c | "d" |'],
  ['A\tB\n"Hi," she said\t5"\n"a\tb"', '| A | B |\n| - | - |\n| "Hi," she said | 5" |\n| "a | b" |'],
])('reads the quotation marks of pasted cells: %j', (text, markdown) => {
  open('');
  pasteText(text);
  expect(editor.read()).toBe(markdown);
});

it.each([
  'Name:\tAnn\nShe sails.',
  '\ta();\n}',
  'a:\n\tb\tc',
  'all:\tbuild\n\tgo test\nbuild:\ta.go\n\tgo build',
  'struct\tboat {\n\tint\tage;\n}',
  'int a;\t// crew\n\tb();\t// sail',
  'Boats\t3\n\tand more of them',
])('makes no table of %j', (text) => {
  open('');
  pasteText(text);
  expect(editor.read()).not.toContain('|');
});

it.each([
  'The box is 2*3*4 cm.',
  'a*b*c',
  'f(x)*g(x)*h(x)',
  '2*x + 3*y',
  'x**2 + y**2',
  'M*A*S*H',
  'Liebe Kolleg*innen und Freund*innen',
  'Call __init__(self) and __main__.py.',
  '10~20個、30~40個',
  'H~2~O',
  'a~b~c',
  '~3 to ~5',
  '5_000_000 in snake_case_name',
  '- 5 °C',
  '+ 5 %',
  '> 50 % agreed',
  '#1 choice',
  '+49 30 1234',
  '5. 3. 2024',
  '\\\\server\\share\\_a',
  'C:\\_temp\\#1',
  'Total\n>50 agreed',
])('keeps the signs of the pasted text %j', (text) => {
  open('');
  pasteText(text);
  expect(editor.view.state.doc.firstChild?.textContent).toBe(text);
  expect(editor.view.dom.querySelector('em, strong, s, li, blockquote')).toBeNull();
});

it.each([
  ['*2* and **2** of ~~3~~', '*2* and **2** of ~~3~~'],
  ['これは*重点*です', 'これは*重点*です'],
  [
    'Wasser**stoff**bombe (*leicht*), __sicher und__ gut',
    'Wasser**stoff**bombe (*leicht*), **sicher und** gut',
  ],
  ['`2*3*4` and $2*3*4$', '`2*3*4` and $2*3*4$'],
  ['```\n>5\nC:\\_a 2*3*4\n```', '```\n>5\nC:\\_a 2*3*4\n```'],
  ['- 5 eggs\n- 3 °C', '- 5 eggs\n- 3 °C'],
  ['> She said\n> so', '> She said\n> so'],
  ['1.\ta\n2.\tb', '1. a\n2. b'],
  ['1. a\n1. b\n1. c', '1. a\n2. b\n3. c'],
  ['1. a\n2. b\n\n   c', '1. a\n2. b\n\n   c'],
  ['2023. Good\n2019. Bad', '2023. Good\n\n2019) Bad'],
  ['- a\n  1. b\n  3. c', '- a\n  1. b\n  3) c'],
  ['+ fast\n+ light\n- dear', '- \\+ fast\n- \\+ light\n\n* \\- dear'],
])('reads the pasted Markdown %j', (text, markdown) => {
  open('');
  pasteText(text);
  expect(editor.read()).toBe(markdown);
});

it.each([
  ['2023. A good year', 'It was 2023. A good year'],
  ['12.', 'It was 12.'],
  ['- now - ', 'It was - now -'],
  ['# 1 in sales', 'It was # 1 in sales'],
  ['**bold** text', 'It was **bold** text'],
  ['7. a\n8. b', 'It was\n\n7. a\n8. b'],
])('keeps the sign at the start of %j that is pasted within a sentence', (text, markdown) => {
  open('It was that');
  cursorAfter('It was ');
  const { view } = editor;
  view.dispatch(view.state.tr.delete(view.state.selection.from, view.state.doc.firstChild!.nodeSize - 1));
  pasteText(text);
  expect(editor.read()).toBe(markdown);
});

it('goes from the last cell of a table to a new row', () => {
  open('| a | b |\n| - | - |\n| 1 | 2 |\n\nAfter.');
  cursorAfter('1');
  expect(press('Tab')).toBe(true);
  type('3');
  expect(press('Tab')).toBe(true);
  type('new');
  expect(editor.read()).toBe('| a | b |\n| - | - |\n| 1 | 3 |\n| new | |\n\nAfter.');
  cursorAfter('After.');
  expect(press('Tab')).toBeFalsy();
});

describe('a click in a text', () => {
  const ownImage = `/files/${'a'.repeat(43)}`;

  it.each([
    ['# Title\n\nFirst words.', 9, 'Firs'],
    ['- one\n- two *three*', 8, 'two th'],
    [`![A boat](${ownImage}) Sea`, 2, ' Se'],
    ['![Boat](https://a.example/b.png) Sea', 5, ' S'],
    ['A', 0, ''],
  ])('puts the cursor of %j after %i letters', (text, letters, before) => {
    open(text).start(letters);
    expect(wordsBeforeCursor()).toBe(before);
  });
});

it('shows an image of this server, and others as a link', () => {
  const own = `/files/${'a'.repeat(43)}`;
  const text = `![A boat](${own})\n\n![Other](https://a.example/b.png)`;
  open(text);
  expect([...editor.view.dom.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toContain(
    own,
  );
  expect(editor.view.dom.querySelector('[data-image]')?.textContent).toBe('Other');
  expect(editor.read()).toBe(text);
});

describe('the selection', () => {
  it('is read from the page before the browser reports it', () => {
    open('Ada wrote letters.');
    const { view } = editor;
    const words = view.dom.querySelector('p')!.firstChild!;
    document.getSelection()!.setBaseAndExtent(words, 18, words, 4);
    expect(view.state.selection.empty).toBe(true);
    editor.readSelection();
    const { from, to } = view.state.selection;
    expect(view.state.doc.textBetween(from, to)).toBe('wrote letters.');
  });

  it('of the page stays when a text comes from elsewhere', () => {
    open('Ada wrote letters.\n\nShe signed them.');
    const { view } = editor;
    const { doc, tr } = view.state;
    view.dispatch(tr.setSelection(TextSelection.create(doc, 1, doc.firstChild!.nodeSize - 1)));
    const words = view.dom.querySelector('p')!.firstChild!;
    document.getSelection()!.collapse(words, 3);
    editor.adopt('Ada wrote letters.\n\nShe signed all of them.');
    expect(view.state.selection.empty).toBe(true);
    expect(wordsBeforeCursor()).toBe('Ada');
  });
});
