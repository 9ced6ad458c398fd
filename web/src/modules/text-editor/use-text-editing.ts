import { useCallback, useEffect, useState } from 'react';
import type { Creation } from '#libs/contract/creations.js';
import { isWithinMarkdownLimits } from '#libs/contract/markdown.js';
import { drafts } from '../../shared/drafts/drafts';
import { useAccounts } from '../../shared/account/accounts';
import type { ClickPosition } from './document/click-position';
import type { TextDraft } from './saving/text-drafts';
import { hasTextDrafts, suggestionName } from './saving/draft-names';

interface OpenEditor {
  creation: Creation;
  draft: TextDraft | null;
  /** True if the user opened the editor, false if it opened by itself because of a draft. */
  byUser: boolean;
  place: ClickPosition | null;
}

export interface TextEditing {
  creation: Creation | undefined;
  /** Null while the editor is closed. */
  editor: OpenEditor | null;
  /** The edited text, or else the stored text; null until the creation has loaded. */
  text: string | null;
  canEdit: boolean;
  /** True after the user closed the editor, so that the Edit button takes the focus. */
  wasClosed: boolean;
  start: (place?: ClickPosition | null) => void;
  setText: (text: string) => void;
  close: () => void;
}

/** The state of a creation's editor. The editor opens by itself if this device has an unsaved text or a suggestion. */
export function useTextEditing(creation: Creation | undefined): TextEditing {
  const user = useAccounts().user?.id ?? '';
  const [open, setOpen] = useState<Omit<OpenEditor, 'creation'> & { id: string }>();
  const [edited, setEdited] = useState<string | null>(null);
  const [left, setLeft] = useState<string>();
  const id = creation?.id;
  const canEdit = creation?.editable === true && isWithinMarkdownLimits(creation.content);

  useEffect(() => {
    if (id === undefined || !canEdit) return;
    let current = true;
    const openDraft = async () => {
      const hasSuggestion = drafts.read(suggestionName(user, id)) !== null;
      if (!hasSuggestion && !(await hasTextDrafts(user, id))) return;
      const { readTextDrafts } = await import('./saving/text-drafts');
      const [draft = null] = await readTextDrafts(user, id);
      if (current && (hasSuggestion || draft !== null))
        setOpen((before) => (before?.id === id ? before : { id, draft, byUser: false, place: null }));
    };
    // If the draft cannot be loaded, it stays on this device for the next visit, so ignore the error.
    openDraft().catch(() => undefined);
    return () => {
      current = false;
    };
  }, [user, id, canEdit]);

  const start = useCallback(
    (place: ClickPosition | null = null) => {
      if (id === undefined) return;
      setEdited(null);
      setOpen({ id, draft: null, byUser: true, place });
    },
    [id],
  );
  const editor = creation !== undefined && open?.id === creation.id ? { creation, ...open } : null;
  return {
    creation,
    editor,
    text: (editor && edited) ?? creation?.content ?? null,
    canEdit,
    wasClosed: left !== undefined && left === id,
    start,
    setText: setEdited,
    close: () => {
      if (open?.byUser) setLeft(id);
      setOpen(undefined);
      setEdited(null);
    },
  };
}
