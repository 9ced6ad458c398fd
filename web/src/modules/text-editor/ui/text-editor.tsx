import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import type { Creation } from '#libs/contract/creations.js';
import { isModShortcut } from '../../../shared/lib/shortcut-key';
import { Markdown } from '../../../shared/markdown/markdown';
import { Button } from '../../../shared/ui/button';
import type { ClickPosition } from '../document/click-position';
import { passageAt } from '../rewriting/passage';
import { RewriteMenu } from '../rewriting/rewrite-menu';
import { SuggestionPanel } from '../rewriting/suggestion-panel';
import { useRewriting } from '../rewriting/use-rewriting';
import type { TextDraft } from '../saving/text-drafts';
import type { SaveState } from '../saving/text-saver';
import { deleteRange, runBoth } from './commands';
import { EditorDialog, type EditorDialogName } from './editor-dialog';
import { FindBar } from './find-bar';
import { ImportInput, useFileImport } from './import-input';
import { countWords, lengthText, saveStatus } from './save-status';
import { SlashMenu } from './slash-menu';
import type { SlashItem } from './slash-items';
import { slashMenuOf, type SlashMenuState } from './slash-plugin';
import './text-editor.css';
import { isSameToolState, toolState, type ToolState } from './tool-state';
import { keysText, Toolbar } from './toolbar';
import { useEditor } from './use-editor';

export interface TextEditorProps {
  creation: Creation;
  /** Unsaved text of this device with which the editor starts; null to start with the stored text. */
  draft: TextDraft | null;
  /** True if the user opened the editor; false if it opened by itself because of a draft. */
  takesFocus: boolean;
  /** Initial cursor position, from the click that opened the editor. */
  place: ClickPosition | null;
  /** Called with each new text, so that Copy and Export outside the editor use the unsaved text. */
  onText: (text: string) => void;
  /** Called when the user closes the editor and everything is saved. */
  onClose: () => void;
}

/** Edits a text in place and saves it automatically. */
export default function TextEditor({
  creation,
  draft,
  takesFocus,
  place: clicked,
  onText,
  onClose,
}: TextEditorProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const fileInput = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState<SaveState>({ kind: 'saved' });
  const [tools, setTools] = useState<ToolState | null>(null);
  const [words, setWords] = useState(0);
  const [dialog, setDialog] = useState<EditorDialogName | null>(null);
  const [slash, setSlash] = useState<SlashMenuState | null>(null);
  const [isRewriteMenuOpen, setRewriteMenuOpen] = useState(false);
  /** The view and state that the find bar searches; null while the bar is closed. */
  const [searched, setSearched] = useState<{ view: EditorView; state: EditorState } | null>(null);
  /** The text shown from when the user closes the editor until that text is saved; null while the editor is open. */
  const [left, setLeft] = useState<string | null>(null);

  const updateTools = (state: EditorState) => {
    const next = toolState(state);
    setTools((current) => (current !== null && isSameToolState(current, next) ? current : next));
  };
  const showText = (text: string) => {
    onText(text);
    const doc = view()?.state.doc;
    if (doc) setWords(countWords(doc.textBetween(0, doc.content.size, ' ', ' ')));
  };
  const editor = useEditor(place, {
    creation,
    draft,
    onOpen: ({ text: opened }, text) => {
      rewriting.restore();
      updateTools(opened.view.state);
      showText(text);
      if (takesFocus) opened.start(clicked?.letters);
    },
    onUpdate: (state) => {
      setSearched((before) => before && { ...before, state });
      setSlash(slashMenuOf(state));
      updateTools(state);
    },
    onSave: showText,
    onState: (state) => {
      setStatus(state);
      if (state.kind === 'conflict') setDialog('conflict');
      if (state.kind === 'saved' && left !== null) onClose();
    },
    onKey: (event) => onTextKey(event),
    onSlashItem: (item, menu) => insertItem(item, menu),
    onFormula: () => setDialog('formula'),
    onFiles: (files) => importFiles(files),
  });
  const view = () => editor.current?.text.view;
  const save = () => void editor.current?.saver.save();
  const { importing, importFiles } = useFileImport(() => editor.current?.text);
  const rewriting = useRewriting({
    view,
    creation: creation.id,
    onBegin: save,
    onAccepted: (label) => {
      editor.current?.session.startVersion(label);
      save();
    },
  });

  const find = () => {
    const searchedView = view();
    if (searchedView) setSearched({ view: searchedView, state: searchedView.state });
  };
  const insertItem = ({ command, dialog: opened }: SlashItem, { from, to }: SlashMenuState) => {
    const target = view();
    if (!target) return;
    const erase = deleteRange(from, to);
    (command === null ? erase : runBoth(erase, command))(target.state, target.dispatch, target);
    if (opened !== undefined) setDialog(opened);
  };
  const leave = async () => {
    if (!editor.current) return;
    const { text, saver } = editor.current;
    const read = text.read();
    if (read === null) return;
    onText(read);
    rewriting.close();
    await saver.save();
    if (saver.state.kind === 'saved') onClose();
    else if (saver.state.kind !== 'conflict') setLeft(read);
  };
  const goOn = () => {
    setLeft(null);
    requestAnimationFrame(() => view()?.focus());
  };
  const onTextKey = (event: globalThis.KeyboardEvent) => {
    if (isModShortcut(event, 'k')) setDialog('link');
    else if (isModShortcut(event, 'f')) find();
    else if (isModShortcut(event, 'j')) {
      editor.current?.text.readSelection();
      setRewriteMenuOpen(true);
    } else if (event.key !== 'Escape') return false;
    else if (rewriting.suggestion !== null) rewriting.reject();
    else void leave();
    return true;
  };
  const onSectionKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    // React bubbles events of dialogs in portals here too. Their Escape must not close the editor.
    if (event.key === 'Escape' && event.currentTarget.contains(event.target as Node)) void leave();
    if (isModShortcut(event, 's')) {
      event.preventDefault();
      save();
    }
  };

  // The toolbar moves the text down when it appears. Scroll the clicked line back to where the user clicked.
  const hasTools = tools !== null;
  useLayoutEffect(() => {
    if (hasTools && clicked !== null) editor.current?.text.scrollTo(clicked.top);
    // Only when the toolbar appears, not when `clicked` changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [hasTools]);

  const open = left === null ? editor.current : null;
  return (
    // The section handles keys that bubble up from the toolbar, the find bar and the text.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section aria-label="Text editor" onKeyDown={onSectionKey} className="@container min-w-0">
      {/* Not sticky on low screens, where the toolbar would cover most of the text. */}
      <div className="top-16 z-10 -mx-2 mb-6 border-b border-line bg-raised px-2 pt-1 pb-2 [@media(height>=30rem)]:sticky [@media(height>=30rem)]:max-h-[50dvh] [@media(height>=30rem)]:overflow-y-auto">
        {open !== null && tools !== null && (
          <Toolbar
            controls={id}
            tools={tools}
            view={open.text.view}
            onDialog={setDialog}
            onFind={find}
            importing={importing}
            onImport={() => fileInput.current?.click()}
            rewrite={
              <RewriteMenu
                open={isRewriteMenuOpen}
                onOpen={setRewriteMenuOpen}
                keys={keysText('Mod+J')}
                passageName={() => passageAt(open.text.view.state)?.name ?? null}
                onChoose={rewriting.begin}
                onClosed={() => rewriting.suggestion === null && view()?.focus()}
              />
            }
          />
        )}
        {left === null && searched !== null && (
          <FindBar
            {...searched}
            onClose={() => {
              setSearched(null);
              view()?.focus();
            }}
          />
        )}
        <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
          <p role="status" className={status.kind === 'saved' ? 'text-quiet' : 'text-ink'}>
            {saveStatus(status)}
          </p>
          <div className="flex items-center gap-3">
            <span className="text-quiet">{lengthText(words)}</span>
            {status.kind === 'conflict' && (
              <Button size="small" onClick={() => setDialog('conflict')}>
                Choose
              </Button>
            )}
            {left === null ? (
              <Button size="small" onClick={() => void leave()}>
                Done
              </Button>
            ) : (
              <Button size="small" onClick={goOn}>
                Continue editing
              </Button>
            )}
          </div>
        </div>
      </div>
      <ImportInput ref={fileInput} onFiles={importFiles} />
      <div id={id} ref={place} hidden={left !== null} className="prose" />
      {left !== null && <Markdown text={left} />}
      {open !== null && <SuggestionPanel rewriting={rewriting} view={open.text.view} />}
      {open !== null && slash !== null && (
        <SlashMenu view={open.text.view} menu={slash} onChoose={(item) => insertItem(item, slash)} />
      )}
      {editor.current !== null && dialog !== null && (
        <EditorDialog
          key={dialog}
          name={dialog}
          editor={editor.current}
          status={status}
          onClose={() => setDialog(null)}
        />
      )}
    </section>
  );
}
