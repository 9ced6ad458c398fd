import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Creation } from '#libs/contract/creations.js';
import { useAccounts } from '../../../shared/account/accounts';
import { useHttp } from '../../../shared/account/use-http';
import { EditSession } from '../saving/edit-session';
import type { TextDraft } from '../saving/text-drafts';
import type { SaveState, TextSaver } from '../saving/text-saver';
import { TextView, type TextViewOptions } from './text-view';

export interface Editor {
  text: TextView;
  saver: TextSaver;
  session: EditSession;
}

interface EditorOptions extends Omit<TextViewOptions, 'text'> {
  creation: Creation;
  draft: TextDraft | null;
  onOpen: (editor: Editor, text: string) => void;
  onSave: (text: string) => void;
  onState: (state: SaveState) => void;
}

/** Creates the editor of a creation in `place`, and saves the text when the editor is removed. */
export function useEditor(
  place: RefObject<HTMLElement | null>,
  { creation, draft, ...options }: EditorOptions,
): RefObject<Editor | null> {
  const http = useHttp();
  const queries = useQueryClient();
  const user = useAccounts().user?.id ?? '';
  const editor = useRef<Editor>(null);
  const events = useEffectEvent(() => options);

  useEffect(() => {
    if (place.current === null) return;
    const session = new EditSession({
      ...{ http, queries, user, creation, draft },
      read: () => text.read(),
      adopt: (merged) => text.adopt(merged),
      onSave: (saved) => events().onSave(saved),
      onState: (state) => events().onState(state),
    });
    const { saver } = session;
    const initialText = draft?.text ?? creation.content;
    const text = new TextView(place.current, {
      text: initialText,
      onUpdate: (state, changed) => {
        events().onUpdate(state, changed);
        if (changed) saver.changed();
      },
      onKey: (event) => events().onKey(event),
      onSlashItem: (item, menu) => events().onSlashItem(item, menu),
      onFormula: () => events().onFormula(),
      onFiles: (files) => events().onFiles(files),
    });
    editor.current = { text, saver, session };
    events().onOpen(editor.current, initialText);
    if (draft !== null) void saver.save();
    return () => {
      session.close(text.read() ?? saver.saved.content);
      editor.current = null;
      text.destroy();
    };
    // The other values are initial, so a change must not create the editor again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [creation.id]);

  const { content, revision } = creation;
  useEffect(() => editor.current?.saver.receive({ content, revision }), [content, revision]);
  return editor;
}
