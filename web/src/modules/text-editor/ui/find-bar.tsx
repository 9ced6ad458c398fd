import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { findNext, findPrev, getSearchState, SearchQuery, setSearchState } from 'prosemirror-search';
import { TextSelection, type Command, type EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { Button } from '../../../shared/ui/button';
import { TextField } from '../../../shared/ui/text-field';

/** Counting stops at this number of matches, to stay fast in long texts. */
const MAX_COUNTED = 999;

interface FindBarProps {
  view: EditorView;
  state: EditorState;
  onClose: () => void;
}

export function FindBar({ view, state, onClose }: FindBarProps) {
  const [search, setSearch] = useState(() => selectedWords(view.state));
  const [replacement, setReplacement] = useState('');
  const query = new SearchQuery({ search, literal: true });
  const change = useEffectEvent(() => view.dispatch(setSearchState(view.state.tr, query)));
  useEffect(() => change(), [search]);
  const clear = useEffectEvent(() => {
    if (!view.isDestroyed) view.dispatch(setSearchState(view.state.tr, new SearchQuery({ search: '' })));
  });
  useEffect(() => () => clear(), []);

  const run = (command: Command) => {
    command(view.state, view.dispatch, view);
    // ProseMirror doesn't scroll to the selection while another element, here the search field, has the focus.
    view.dom.querySelector('.ProseMirror-active-search-match')?.scrollIntoView({ block: 'center' });
  };
  const { count, current } = countMatches(query, state);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    }
  };
  return (
    // The form handles keys that bubble up from its fields.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      role="search"
      aria-label="Find and replace"
      onKeyDown={onKey}
      onSubmit={(event) => {
        event.preventDefault();
        run(findNext);
      }}
      className="mt-2 flex flex-wrap items-end gap-x-3 gap-y-2 border-t border-line pt-3"
    >
      <div className="min-w-36 flex-1">
        <TextField
          label="Find"
          value={search}
          autoComplete="off"
          // Autofocus is expected here: the user opened the bar to search.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <div className="min-w-36 flex-1">
        <TextField
          label="Replace with"
          value={replacement}
          autoComplete="off"
          onChange={(event) => setReplacement(event.target.value)}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2 pb-1">
        <span role="status" className="min-w-16 text-sm text-quiet">
          {search !== '' && (count === 0 ? 'Not found' : matchText(current, count))}
        </span>
        <Button size="small" aria-label="Previous match" onClick={() => run(findPrev)}>
          <ChevronUp aria-hidden="true" className="size-4" />
        </Button>
        <Button size="small" type="submit" aria-label="Next match">
          <ChevronDown aria-hidden="true" className="size-4" />
        </Button>
        <Button size="small" waiting={count === 0} onClick={() => run(replaceNext(query, replacement))}>
          Replace
        </Button>
        <Button size="small" waiting={count === 0} onClick={() => run(replaceAll(query, replacement))}>
          Replace all
        </Button>
        <Button size="small" variant="quiet" aria-label="Close find and replace" onClick={onClose}>
          <X aria-hidden="true" className="size-4" />
        </Button>
      </div>
    </form>
  );
}

const matchText = (current: number, count: number) => {
  const all = count > MAX_COUNTED ? `over ${MAX_COUNTED}` : String(count);
  return current === 0 ? `${all} found` : `${current} of ${all}`;
};

/** Replaces the selected match and selects the next one. Unlike the library's command, `$` in the replacement is literal. */
const replaceNext =
  (query: SearchQuery, replacement: string): Command =>
  (state, dispatch) => {
    const { from, to } = state.selection;
    const match = query.findNext(state, from, to);
    if (match?.from !== from || match.to !== to) return findNext(state, dispatch);
    const tr = state.tr.insertText(replacement, from, to);
    const replaced = state.apply(tr);
    const end = tr.mapping.map(to);
    const next = query.findNext(replaced, end) ?? query.findNext(replaced);
    if (next) tr.setSelection(TextSelection.create(tr.doc, next.from, next.to));
    dispatch?.(tr.scrollIntoView());
    return true;
  };

const replaceAll =
  (query: SearchQuery, replacement: string): Command =>
  (state, dispatch) => {
    const { tr } = state;
    for (let match = query.findNext(state); match !== null; match = query.findNext(state, match.to))
      tr.insertText(replacement, tr.mapping.map(match.from), tr.mapping.map(match.to));
    dispatch?.(tr);
    return true;
  };

/** `count` is the number of matches; `current` is the 1-based index of the selected match, or 0. */
function countMatches(query: SearchQuery, state: EditorState): { count: number; current: number } {
  let [count, current] = [0, 0];
  if (!query.valid || !getSearchState(state)) return { count, current };
  for (let from = 0; count <= MAX_COUNTED;) {
    const match = query.findNext(state, from);
    if (match === null) break;
    count += 1;
    if (match.from === state.selection.from && match.to === state.selection.to) current = count;
    from = match.to;
  }
  return { count, current };
}

/** The selected text; empty if the selection spans several paragraphs. */
function selectedWords({ doc, selection: { $from, $to, from, to } }: EditorState): string {
  return $from.sameParent($to) ? doc.textBetween(from, to) : '';
}
