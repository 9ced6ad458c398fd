import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { FilePen, NotebookText, Plus, Trash2 } from 'lucide-react';
import toast from 'react-hot-toast';
import { NOTEBOOK_NAME_MAX_CHARACTERS, type NotebookSummary } from '#libs/contract/notebooks.js';
import { PremiumNotice, useNeedsPremium } from '../../../modules/runs/jobs/premium-notice';
import { formatCount, formatDate } from '../../../shared/lib/format';
import { useDelayedRemoval } from '../../../shared/ui/use-delayed-removal';
import { paths } from '../../../shared/paths';
import { ToolHeading } from '../../../shared/tools/tool-heading';
import { Button } from '../../../shared/ui/button';
import { CornerMarks } from '../../../shared/ui/corner-marks';
import { MenuItem } from '../../../shared/ui/menu';
import { NameDialog } from '../../../shared/ui/name-dialog';
import { Notice } from '../../../shared/ui/notice';
import { RowMenu } from '../../../shared/ui/row-menu';
import { Loading } from '../../../shared/ui/spinner';
import { useAddNotebook, useDeleteNotebook, useNotebooks, useRenameNotebook } from './api/notebook-calls';

/** The user's notebooks. */
export default function NotebooksPage() {
  const navigate = useNavigate();
  const { data, failureReason, refetch } = useNotebooks();
  const needsPremium = useNeedsPremium();
  const add = useAddNotebook();
  const rename = useRenameNotebook();
  const { mutateAsync: deleteNotebook } = useDeleteNotebook();
  const { removed, remove } = useDelayedRemoval(deleteNotebook);
  const [open, setOpen] = useState<'new' | NotebookSummary | null>(null);
  const close = () => setOpen(null);
  const failed = ({ message }: Error) => void toast.error(message);
  const notebooks = data?.filter(({ id }) => !removed.has(id));

  return (
    <>
      <ToolHeading
        tool="ask-notebook"
        lead="Ask many documents at once, and get answers that cite document and page."
      />
      <div className="grid gap-6">
        <PremiumNotice />
        {notebooks === undefined ? (
          failureReason === null ? (
            <Loading label="Loading your notebooks" />
          ) : (
            <Notice tone="danger" title="Your notebooks could not be loaded" onRetry={() => refetch()}>
              {failureReason.message}
            </Notice>
          )
        ) : (
          <>
            {notebooks.length > 0 && (
              <div>
                <Button variant="primary" disabled={needsPremium} onClick={() => setOpen('new')}>
                  <Plus aria-hidden="true" className="size-4" />
                  New notebook
                </Button>
              </div>
            )}
            {notebooks.length === 0 ? (
              <div className="panel relative grid justify-items-center gap-5 px-6 py-14 text-center">
                <CornerMarks />
                <NotebookText aria-hidden="true" className="size-9 text-quiet" strokeWidth={1.25} />
                <p className="max-w-md text-quiet">
                  A notebook holds up to 50 documents, one conversation about them, and your notes.
                </p>
                <Button variant="primary" disabled={needsPremium} onClick={() => setOpen('new')}>
                  Start a notebook
                </Button>
              </div>
            ) : (
              <ul aria-label="Your notebooks" className="border-t border-line">
                {notebooks.map((notebook) => (
                  <Row
                    key={notebook.id}
                    notebook={notebook}
                    onRename={() => setOpen(notebook)}
                    onDelete={() => remove(notebook.id, `Deleted “${notebook.name}”`)}
                  />
                ))}
              </ul>
            )}
          </>
        )}
      </div>
      {open === 'new' && (
        <NameDialog
          title="New notebook"
          label="Name"
          name=""
          maxLength={NOTEBOOK_NAME_MAX_CHARACTERS}
          action="Create"
          busy={add.isPending}
          error={add.error?.message}
          onName={(name) => add.mutate(name, { onSuccess: ({ id }) => void navigate(paths.notebook(id)) })}
          onClose={close}
        />
      )}
      {open !== null && open !== 'new' && (
        <NameDialog
          title="Rename the notebook"
          label="Name"
          name={open.name}
          maxLength={NOTEBOOK_NAME_MAX_CHARACTERS}
          action="Rename"
          busy={rename.isPending}
          onName={(name) => rename.mutate({ id: open.id, name }, { onSuccess: close, onError: failed })}
          onClose={close}
        />
      )}
    </>
  );
}

interface RowProps {
  notebook: NotebookSummary;
  onRename: () => void;
  onDelete: () => void;
}

function Row({
  notebook: { id, name, documents, messages, notes, updatedAt },
  onRename,
  onDelete,
}: RowProps) {
  const questions = Math.ceil(messages / 2);
  return (
    <li className="flex items-center gap-1 border-b border-line">
      <Link
        to={paths.notebook(id)}
        className="flex min-w-0 flex-1 items-center gap-4 px-2 py-3.5 transition-colors hover:bg-tint sm:px-4"
      >
        <NotebookText aria-hidden="true" className="size-5 shrink-0 text-quiet" strokeWidth={1.5} />
        <span className="min-w-0">
          <bdi className="line-clamp-2 font-semibold wrap-anywhere">{name}</bdi>
          <span className="mt-0.5 block text-sm text-quiet">
            {formatCount(documents, 'document')}
            <span aria-hidden="true"> · </span>
            {formatCount(questions, 'question')}
            <span aria-hidden="true"> · </span>
            {formatCount(notes, 'note')}
            <span aria-hidden="true"> · </span>
            <time dateTime={updatedAt}>{formatDate(updatedAt)}</time>
          </span>
        </span>
      </Link>
      <RowMenu label={`Actions for ${name}`}>
        <MenuItem onSelect={onRename}>
          <FilePen aria-hidden="true" className="size-4" />
          Rename
        </MenuItem>
        <MenuItem onSelect={onDelete}>
          <Trash2 aria-hidden="true" className="size-4" />
          Delete
        </MenuItem>
      </RowMenu>
    </li>
  );
}
