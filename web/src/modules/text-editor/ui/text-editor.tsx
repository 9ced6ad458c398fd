import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import { useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import type { EditorState } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { creationRoutes } from '#libs/contract/routes/creations.js';
import type { Creation } from '#libs/contract/creations.js';
import { call } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';
import { isModShortcut } from '../../../shared/lib/shortcut-key';
import { Markdown } from '../../../shared/markdown/markdown';
import { useAccounts } from '../../../shared/account/accounts';
import { useHttp } from '../../../shared/account/use-http';
import { Button } from '../../../shared/ui/button';
import type { ClickPosition } from '../document/click-position';
import { passageAt } from '../rewriting/passage';
import { RewriteMenu } from '../rewriting/rewrite-menu';
import { SuggestionPanel } from '../rewriting/suggestion-panel';
import { useRewriting } from '../rewriting/use-rewriting';
import { importFile } from './import-file';
import { IMPORTED_FILES } from '../import/read-file';
import { holdEditorLock, TextDraftStore, type TextDraft } from '../saving/text-drafts';
import { TextSaver, type SaveState } from '../saving/text-saver';
import { runBoth, deleteRange, insertFormula, insertImage, linkAt, setLink } from './commands';
import { ConflictDialog } from './conflict-dialog';
import { FindBar } from './find-bar';
import { FormulaDialog } from './formula-dialog';
import { ImageDialog } from './image-dialog';
import { LinkDialog } from './link-dialog';
import { goTo, headingsOf } from './outline';
import { countWords, lengthText, saveStatus } from './save-status';
import { SlashMenu } from './slash-menu';
import type { SlashItem } from './slash-items';
import { slashMenuOf, type SlashMenuState } from './slash-plugin';
import './text-editor.css';
import { scrollRoom, selectedFormula, TextView } from './text-view';
import { isSameToolState, toolState, type ToolState } from './tool-state';
import { keysText, Toolbar } from './toolbar';

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

interface Parts {
  text: TextView;
  saver: TextSaver;
  /** Labels the next save and keeps it as a separate version. */
  startVersion: (label: string) => void;
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
  const http = useHttp();
  const queries = useQueryClient();
  const user = useAccounts().user?.id ?? '';
  const place = useRef<HTMLDivElement>(null);
  const parts = useRef<Parts>(null);
  const [status, setStatus] = useState<SaveState>({ kind: 'saved' });
  const [tools, setTools] = useState<ToolState | null>(null);
  const [words, setWords] = useState(0);
  const [dialog, setDialog] = useState<'conflict' | 'image' | 'formula' | { href: string } | null>(null);
  const fileInput = useRef<HTMLInputElement>(null);
  const [importing, setImporting] = useState(false);
  const [slash, setSlash] = useState<SlashMenuState | null>(null);
  /** The view and state that the find bar searches; null while the bar is closed. */
  const [searched, setSearched] = useState<{ view: EditorView; state: EditorState } | null>(null);
  /** The text shown from when the user closes the editor until that text is saved; null while the editor is open. */
  const [left, setLeft] = useState<string | null>(null);

  const [menu, setMenu] = useState(false);
  const rewriting = useRewriting({
    view: () => parts.current?.text.view,
    creation: creation.id,
    onBegin: () => void parts.current?.saver.save(),
    onAccepted: (label) => {
      parts.current?.startVersion(label);
      void parts.current?.saver.save();
    },
  });

  const showText = useEffectEvent((text: string) => {
    onText(text);
    const doc = parts.current?.text.view.state.doc;
    if (doc) setWords(countWords(doc.textBetween(0, doc.content.size, ' ', ' ')));
  });
  const showState = useEffectEvent((state: SaveState) => {
    setStatus(state);
    if (state.kind === 'conflict') setDialog('conflict');
    if (state.kind === 'saved' && left !== null) onClose();
  });
  const restoreSuggestion = useEffectEvent(rewriting.restore);
  const askLink = () => {
    const state = parts.current?.text.view.state;
    if (state) setDialog({ href: linkAt(state)?.href ?? '' });
  };
  const find = () => {
    const view = parts.current?.text.view;
    if (view) setSearched({ view, state: view.state });
  };
  const insertItem = ({ command, dialog: opened }: SlashItem, { from, to }: SlashMenuState) => {
    const editor = parts.current?.text.view;
    if (!editor) return;
    const erase = deleteRange(from, to);
    (command === null ? erase : runBoth(erase, command))(editor.state, editor.dispatch, editor);
    if (opened !== undefined) setDialog(opened);
  };
  const onSlashItem = useEffectEvent(insertItem);
  const importFiles = async ([file]: FileList) => {
    const text = parts.current?.text;
    if (file === undefined || text === undefined || importing) return;
    setImporting(true);
    const { inserted, message } = await importFile(text, file);
    setImporting(false);
    if (inserted) toast.success(`${message} ${keysText('Mod+Z')} removes it.`, { duration: 8_000 });
    else toast.error(message, { duration: 8_000 });
  };
  const onFiles = useEffectEvent((files: FileList) => void importFiles(files));
  const leave = async () => {
    if (!parts.current) return;
    const { text, saver } = parts.current;
    const read = text.read();
    if (read === null) return;
    onText(read);
    rewriting.close();
    await saver.save();
    if (saver.state.kind === 'saved') onClose();
    else if (saver.state.kind !== 'conflict') setLeft(read);
  };
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const isLink = isModShortcut(event, 'k');
    if (isLink) askLink();
    const isFind = isModShortcut(event, 'f');
    if (isFind) find();
    const isRewrite = isModShortcut(event, 'j');
    if (isRewrite) {
      parts.current?.text.readSelection();
      setMenu(true);
    }
    const isEscape = event.key === 'Escape';
    if (isEscape && rewriting.suggestion !== null) rewriting.reject();
    else if (isEscape) void leave();
    return isLink || isFind || isRewrite || isEscape;
  });

  useEffect(() => {
    if (place.current === null) return;
    const session = draft?.session ?? crypto.randomUUID();
    const draftStore = new TextDraftStore(user, creation.id, session);
    const closed = Promise.withResolvers<void>();
    holdEditorLock(session, closed.promise);
    let version: { session: string; label?: string } = { session };
    /** The final text, which `read` returns after the view is destroyed. */
    let last: string | null = null;
    const read = () => last ?? text.read();
    const store = (stored: Creation) => {
      queries.setQueryData(queryKeys.creation(creation.id), stored);
      return stored;
    };
    const saver = new TextSaver({
      session,
      base: draft?.base ?? { content: creation.content, revision: creation.revision },
      unanswered: draft?.unanswered,
      read,
      adopt: (merged) => {
        if (last === null) text.adopt(merged);
        else last = merged;
      },
      put: async (content, revision) => {
        if (last === null) showText(content);
        const saved = version;
        const answer = await call(
          http,
          creationRoutes.editCreation,
          { params: { id: creation.id }, body: { content, ...saved } },
          { 'If-Match': `"${revision}"` },
        );
        if (saved.label !== undefined && saved === version) version = { session: crypto.randomUUID() };
        return store(answer.creation);
      },
      get: async () =>
        store((await call(http, creationRoutes.getCreation, { params: { id: creation.id } })).creation),
      keep: (unsaved) => void (unsaved === null ? draftStore.remove() : draftStore.write(unsaved)),
      onState: (state) => last === null && showState(state),
    });
    const text = new TextView(place.current, {
      text: draft?.text ?? creation.content,
      onUpdate: (state, changed) => {
        const next = toolState(state);
        setSearched((before) => before && { ...before, state });
        setSlash(slashMenuOf(state));
        setTools((current) => (current !== null && isSameToolState(current, next) ? current : next));
        if (changed) saver.changed();
      },
      onKey: (event) => onKey(event),
      onSlashItem: (item, menu) => onSlashItem(item, menu),
      onFormula: () => setDialog('formula'),
      onFiles: (files) => onFiles(files),
    });
    const startVersion = (label: string) => (version = { session: crypto.randomUUID(), label });
    parts.current = { text, saver, startVersion };
    restoreSuggestion();
    setTools(toolState(text.view.state));
    showText(draft?.text ?? creation.content);
    if (draft !== null) void saver.save();
    if (takesFocus) text.start(clicked?.letters);

    const storeDraftNow = () => {
      const unsaved = saver.draft();
      if (unsaved !== null) draftStore.writeSync(unsaved);
    };
    const saveNow = () => void saver.save();
    const onHidden = () => {
      // If the text is up to date, saving would only delete the draft, which an unloading page may not finish.
      if (document.visibilityState === 'hidden' && !saver.isUpToDate) saveNow();
    };
    window.addEventListener('pagehide', storeDraftNow);
    window.addEventListener('online', saveNow);
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      window.removeEventListener('pagehide', storeDraftNow);
      window.removeEventListener('online', saveNow);
      document.removeEventListener('visibilitychange', onHidden);
      last = text.read() ?? saver.saved.content;
      parts.current = null;
      text.destroy();
      void saver.close().finally(closed.resolve);
    };
    // The other props only set initial values, so a change must not create the editor again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [creation.id]);

  // The toolbar moves the text down when it appears. Scroll the clicked line back to where the user clicked.
  const hasTools = tools !== null;
  useLayoutEffect(() => {
    if (hasTools && clicked !== null) parts.current?.text.scrollTo(clicked.top);
    // Only when the toolbar appears, not when `clicked` changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [hasTools]);

  const { content, revision } = creation;
  useEffect(() => parts.current?.saver.receive({ content, revision }), [content, revision]);

  const goOn = () => {
    setLeft(null);
    requestAnimationFrame(() => parts.current?.text.focus());
  };
  const onSectionKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    // React bubbles events of dialogs in portals here too. Their Escape must not close the editor.
    if (event.key === 'Escape' && event.currentTarget.contains(event.target as Node)) void leave();
    if (isModShortcut(event, 's')) {
      event.preventDefault();
      void parts.current?.saver.save();
    }
  };
  const view = () => parts.current?.text.view;

  return (
    // The section handles keys that bubble up from the toolbar, the find bar and the text.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section aria-label="Text editor" onKeyDown={onSectionKey} className="@container min-w-0">
      {/* Not sticky on low screens, where the toolbar would cover most of the text. */}
      <div className="top-16 z-10 -mx-2 mb-6 border-b border-line bg-raised px-2 pt-1 pb-2 [@media(height>=30rem)]:sticky [@media(height>=30rem)]:max-h-[50dvh] [@media(height>=30rem)]:overflow-y-auto">
        {left === null && tools !== null && (
          <Toolbar
            controls={id}
            tools={tools}
            run={(command) => {
              const editor = view();
              if (!editor) return;
              command(editor.state, editor.dispatch, editor);
              editor.focus();
            }}
            onLink={askLink}
            onImage={() => setDialog('image')}
            onFormula={() => setDialog('formula')}
            importing={importing}
            onImport={() => fileInput.current?.click()}
            onFind={find}
            headings={() => headingsOf(view()?.state)}
            onHeading={(position) => {
              const editor = view();
              if (editor) goTo(editor, position, scrollRoom.top);
            }}
            onMenuClosed={() => view()?.focus()}
            rewrite={
              <RewriteMenu
                open={menu}
                onOpen={setMenu}
                keys={keysText('Mod+J')}
                passageName={() => {
                  const editor = view();
                  return editor ? (passageAt(editor.state)?.name ?? null) : null;
                }}
                onChoose={rewriting.begin}
                onClosed={() => rewriting.suggestion === null && view()?.focus()}
              />
            }
          />
        )}
        {left === null && searched !== null && (
          <FindBar
            view={searched.view}
            state={searched.state}
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
      <input
        ref={fileInput}
        type="file"
        hidden
        aria-label="Word or Markdown file"
        accept={IMPORTED_FILES}
        onChange={({ currentTarget }) => {
          if (currentTarget.files) void importFiles(currentTarget.files);
          // Browsers fire no event if the same file is chosen again, unless the value is cleared.
          currentTarget.value = '';
        }}
      />
      <div id={id} ref={place} hidden={left !== null} className="prose" />
      {left === null && parts.current && (
        <SuggestionPanel rewriting={rewriting} view={parts.current.text.view} />
      )}
      {left !== null && <Markdown text={left} />}
      {slash !== null && left === null && parts.current !== null && (
        <SlashMenu view={parts.current.text.view} menu={slash} onChoose={(item) => insertItem(item, slash)} />
      )}
      {dialog === 'image' && (
        <ImageDialog
          onInsert={(src, alt) => {
            const editor = view();
            if (editor) insertImage(src, alt)(editor.state, editor.dispatch);
            setDialog(null);
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'formula' && parts.current !== null && (
        <FormulaDialog
          {...(selectedFormula(parts.current.text.view.state) ?? {
            tex: '',
            display: false,
            inLine: isInTable(parts.current.text.view.state),
          })}
          onSet={(formula, isBlock) => {
            const editor = view();
            if (editor) insertFormula(formula, isBlock)(editor.state, editor.dispatch);
            setDialog(null);
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog !== null && typeof dialog === 'object' && (
        <LinkDialog
          href={dialog.href}
          onSet={(href) => {
            const editor = view();
            if (editor) setLink(href)(editor.state, editor.dispatch);
            setDialog(null);
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'conflict' && status.kind === 'conflict' && (
        <ConflictDialog
          parts={status.parts}
          onChoose={(text) => {
            setDialog(null);
            parts.current?.saver.resolve(text, status);
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </section>
  );
}
