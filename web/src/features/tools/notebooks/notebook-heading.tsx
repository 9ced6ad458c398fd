import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ChevronLeft, FilePen } from 'lucide-react';
import toast from 'react-hot-toast';
import { NOTEBOOK_NAME_MAX_CHARACTERS, type NotebookSummary } from '#libs/contract/notebooks.js';
import { paths } from '../../../shared/paths';
import { IconButton } from '../../../shared/ui/icon-button';
import { NameDialog } from '../../../shared/ui/name-dialog';
import { useRenameNotebook } from './api/notebook-calls';

/** The name of a notebook, which the user can change. Also sets the document title. */
export function NotebookHeading({ notebook: { id, name } }: { notebook: NotebookSummary }) {
  const rename = useRenameNotebook();
  const [renaming, setRenaming] = useState(false);
  return (
    <header className="mb-4">
      <title>{`${name} · Pressroom`}</title>
      <Link
        to={paths.notebooks}
        className="inline-flex min-h-6 items-center touch:min-h-11 gap-1 text-sm text-quiet hover:text-ink"
      >
        <ChevronLeft aria-hidden="true" className="size-4" />
        Notebooks
      </Link>
      <div className="flex items-start gap-2">
        <h1 className="line-clamp-2 text-2xl wrap-anywhere sm:text-3xl" title={name}>
          <bdi>{name}</bdi>
        </h1>
        <IconButton label="Rename the notebook" icon={FilePen} onClick={() => setRenaming(true)} />
      </div>
      {renaming && (
        <NameDialog
          title="Rename the notebook"
          label="Name"
          name={name}
          maxLength={NOTEBOOK_NAME_MAX_CHARACTERS}
          action="Rename"
          busy={rename.isPending}
          onName={(next) =>
            rename.mutate(
              { id, name: next },
              { onSuccess: () => setRenaming(false), onError: ({ message }) => toast.error(message) },
            )
          }
          onClose={() => setRenaming(false)}
        />
      )}
    </header>
  );
}
