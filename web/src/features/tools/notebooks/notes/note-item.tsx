import { useState } from 'react';
import { ArrowDown, ArrowUp, FilePen, Trash2 } from 'lucide-react';
import { NOTE_MAX_CHARACTERS, type NotebookNote } from '#libs/contract/notebooks.js';
import { Answer, Citations } from '../../../../modules/conversation/message';
import type { CitedLocation } from '../../../../modules/conversation/page-links';
import { formatCount } from '../../../../shared/lib/format';
import { Button } from '../../../../shared/ui/button';
import { IconButton } from '../../../../shared/ui/icon-button';
import { TextAreaField } from '../../../../shared/ui/text-area-field';

interface NoteItemProps {
  note: NotebookNote;
  /** Position among the notes, from 1. */
  position: number;
  count: number;
  saving: boolean;
  onSave: (content: string, onSaved: () => void) => void;
  onMove: (by: 1 | -1) => void;
  onDelete: () => void;
  onOpenPage: (location: CitedLocation) => void;
}

export function NoteItem(props: NoteItemProps) {
  const { note, position, count, saving, onSave, onMove, onDelete, onOpenPage } = props;
  const { content, citations } = note;
  const [editing, setEditing] = useState(false);
  return (
    <li className="border-b border-line px-4 py-3">
      <div className="mb-1 flex items-center justify-between gap-2">
        <span className="font-mono text-xs text-quiet">
          <span className="sr-only">Note </span>
          {position}
        </span>
        <div className="-mr-2 flex">
          <IconButton
            label={`Move note ${position} up`}
            icon={ArrowUp}
            disabled={position === 1}
            onClick={() => onMove(-1)}
          />
          <IconButton
            label={`Move note ${position} down`}
            icon={ArrowDown}
            disabled={position === count}
            onClick={() => onMove(1)}
          />
          <IconButton
            label={`Edit note ${position}`}
            icon={FilePen}
            expanded={editing}
            onClick={() => setEditing(!editing)}
          />
          <IconButton label={`Delete note ${position}`} icon={Trash2} onClick={onDelete} />
        </div>
      </div>
      {editing ? (
        <NoteForm
          label={`Text of note ${position}`}
          content={content}
          action="Save"
          busy={saving}
          onSave={(text) => onSave(text, () => setEditing(false))}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <div className="text-[0.9375rem]">
          <Answer text={content} citations={citations} onOpenPage={onOpenPage} />
        </div>
      )}
      {citations.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="cursor-pointer text-quiet">{formatCount(citations.length, 'source')}</summary>
          <Citations citations={citations} onOpenPage={onOpenPage} />
        </details>
      )}
    </li>
  );
}

interface NoteFormProps {
  label: string;
  content: string;
  action: string;
  busy: boolean;
  onSave: (content: string) => void;
  onCancel: () => void;
}

export function NoteForm({ label, content, action, busy, onSave, onCancel }: NoteFormProps) {
  const [text, setText] = useState(content);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === content) onCancel();
        else if (text.trim() !== '') onSave(text.trim());
      }}
      className="grid gap-2"
    >
      <TextAreaField
        label={label}
        multiline
        compact
        dir="auto"
        value={text}
        maxLength={NOTE_MAX_CHARACTERS}
        // Autofocus, since the field appears in place of the text.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" busy={busy} disabled={text.trim() === ''}>
          {action}
        </Button>
        <Button size="small" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
