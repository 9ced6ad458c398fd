import { useId, useState } from 'react';
import { NotebookPen, Plus } from 'lucide-react';
import toast from 'react-hot-toast';
import type { NotebookNote } from '#libs/contract/notebooks.js';
import type { CitedLocation } from '../../../../modules/conversation/page-links';
import { PremiumHint } from '../../../../modules/runs/jobs/premium-notice';
import { SubmissionProblem } from '../../../../modules/runs/jobs/submission-problem';
import { formatCount } from '../../../../shared/lib/format';
import { useDelayedRemoval } from '../../../../shared/ui/use-delayed-removal';
import { Button } from '../../../../shared/ui/button';
import { Notice } from '../../../../shared/ui/notice';
import { Loading } from '../../../../shared/ui/spinner';
import { useAddNote, useChangeNote, useDeleteNote, useNotes, useOrderNotes } from '../api/note-calls';
import { NoteForm, NoteItem } from './note-item';
import { useNotesText } from './use-notes-text';

interface NotesPaneProps {
  notebookId: string;
  /** True if no text can be made of the notes, since the user has not the premium plan. */
  disabled: boolean;
  onOpenPage: (location: CitedLocation) => void;
}

/** The notes of a notebook: answers that the user keeps, and the user's own. */
export function NotesPane({ notebookId, disabled, onOpenPage }: NotesPaneProps) {
  const id = useId();
  const query = useNotes(notebookId);
  const add = useAddNote(notebookId);
  const change = useChangeNote(notebookId);
  const order = useOrderNotes(notebookId);
  const { mutateAsync: deleteNote } = useDeleteNote(notebookId);
  const { removed, remove } = useDelayedRemoval(deleteNote);
  const [writing, setWriting] = useState(false);
  const notes = query.data?.filter((note) => !removed.has(note.id));
  const text = useNotesText(notebookId, removed.size === 0 ? null : (notes ?? []));
  const failed = ({ message }: Error) => void toast.error(message);

  const move = (note: NotebookNote, by: 1 | -1) => {
    const ids = (notes ?? []).map((other) => other.id);
    const from = ids.indexOf(note.id);
    ids.splice(from, 1);
    ids.splice(from + by, 0, note.id);
    order.mutate(ids, { onError: failed });
  };

  return (
    <section aria-labelledby={id} className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <h2 id={id} className="font-sans text-sm font-semibold tracking-normal">
          {notes === undefined ? 'Notes' : formatCount(notes.length, 'note')}
        </h2>
        <Button size="small" variant="quiet" aria-expanded={writing} onClick={() => setWriting(!writing)}>
          <Plus aria-hidden="true" className="size-4" />
          New note
        </Button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {writing && (
          <div className="border-b border-line px-4 py-3">
            <NoteForm
              label="New note"
              content=""
              action="Add the note"
              busy={add.isPending}
              onSave={(content) =>
                add.mutate({ content }, { onSuccess: () => setWriting(false), onError: failed })
              }
              onCancel={() => setWriting(false)}
            />
          </div>
        )}
        {notes === undefined ? (
          query.failureReason === null ? (
            <Loading label="Loading the notes" />
          ) : (
            <div className="p-4">
              <Notice tone="danger" title="The notes could not be loaded" onRetry={() => query.refetch()}>
                {query.failureReason.message}
              </Notice>
            </div>
          )
        ) : notes.length === 0 && !writing ? (
          <div className="grid min-h-60 place-items-center p-6 text-center">
            <div>
              <NotebookPen aria-hidden="true" className="mx-auto size-8 text-quiet" strokeWidth={1.25} />
              <p className="mt-3 text-sm text-quiet">
                Keep an answer as a note, or write your own. Notes become a text with footnotes that name
                document and page.
              </p>
            </div>
          </div>
        ) : (
          <ol aria-label="Notes">
            {notes.map((note, index) => (
              <NoteItem
                key={note.id}
                note={note}
                position={index + 1}
                count={notes.length}
                saving={change.isPending && change.variables.noteId === note.id}
                onSave={(content, onSaved) =>
                  change.mutate({ noteId: note.id, content }, { onSuccess: onSaved, onError: failed })
                }
                onMove={(by) => move(note, by)}
                onDelete={() => remove(note.id, 'Deleted the note')}
                onOpenPage={onOpenPage}
              />
            ))}
          </ol>
        )}
      </div>
      {notes !== undefined && notes.length > 0 && (
        <footer className="grid gap-3 border-t border-line p-3">
          {text.problem !== null && <SubmissionProblem error={text.problem} onRetry={text.make} />}
          <Button
            variant="plain"
            busy={text.busy}
            disabled={disabled}
            aria-describedby={disabled ? `${id}-premium` : undefined}
            onClick={text.make}
          >
            Make a text of the notes
          </Button>
          <PremiumHint id={`${id}-premium`} what="Making a text" />
        </footer>
      )}
    </section>
  );
}
