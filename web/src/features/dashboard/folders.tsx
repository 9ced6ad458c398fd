import { useState } from 'react';
import { Folder, FolderPlus, Pencil, Trash2 } from 'lucide-react';
import toast from 'react-hot-toast';
import { SEARCH_NAME_MAX, type SavedFilter, type SavedSearch } from '#libs/contract/creations.js';
import { useChangeSearch, useSavedSearches, useSaveSearch } from '../../modules/creations/api/saved-searches';
import { Button } from '../../shared/ui/button';
import { showUndo } from '../../shared/ui/undo-toast';
import { NameForm } from '../../modules/creations/name-form';
import { NO_FILTER, type useCreationFilter } from './use-creation-filter';

const failed = ({ message }: Error) => void toast.error(message);

/** The user's folders, which are saved searches, with buttons to save, rename and delete them. */
export function Folders({ creationFilter: { filter, active, set } }: Props) {
  const { data: folders = [] } = useSavedSearches();
  /** ID of the folder whose name the user edits, or `new`; null if none. */
  const [naming, setNaming] = useState<string | null>(null);
  const save = useSaveSearch();
  const change = useChangeSearch();
  const open = folders.find((folder) => isSame(folder.filter, filter));
  const renamed = folders.find(({ id }) => id === naming);
  const isNaming = renamed !== undefined || (naming === 'new' && active);
  if (folders.length === 0 && !active) return null;

  const { search, type, tag, favourite } = filter;
  const submit = (name: string) => {
    const done = { onSuccess: () => setNaming(null), onError: failed };
    if (renamed) change.mutate({ id: renamed.id, name }, done);
    else save.mutate({ name, filter: { search, type, tag, favourite } }, done);
  };
  const remove = ({ id, name, filter: removed }: SavedSearch) =>
    change.mutate(
      { id, name: null },
      {
        onSuccess: () => {
          set(NO_FILTER);
          showUndo(`Deleted the folder “${name}”`, () =>
            save.mutate({ name, filter: removed }, { onError: failed }),
          );
        },
        onError: failed,
      },
    );

  return (
    <nav aria-label="Folders" className="mb-3 flex flex-wrap items-center gap-2">
      {folders.map((folder) => (
        <Button
          key={folder.id}
          size="small"
          aria-current={folder === open ? 'true' : undefined}
          onClick={() => {
            setNaming(null);
            set(folder === open ? NO_FILTER : folder.filter);
          }}
          className="max-w-full aria-current:border-accent aria-current:bg-tint"
        >
          <Folder aria-hidden="true" className="size-4 shrink-0" />
          <span className="truncate">{folder.name}</span>
        </Button>
      ))}
      {active && !isNaming && (
        <span className="flex flex-wrap gap-1">
          {open === undefined ? (
            <Button size="small" variant="quiet" onClick={() => setNaming('new')}>
              <FolderPlus aria-hidden="true" className="size-4" />
              Save as a folder
            </Button>
          ) : (
            <>
              <Button size="small" variant="quiet" onClick={() => setNaming(open.id)}>
                <Pencil aria-hidden="true" className="size-4" />
                Rename the folder
              </Button>
              <Button size="small" variant="quiet" busy={change.isPending} onClick={() => remove(open)}>
                <Trash2 aria-hidden="true" className="size-4" />
                Delete the folder
              </Button>
            </>
          )}
        </span>
      )}
      {isNaming && (
        <NameForm
          key={naming}
          label="Name of the folder"
          maxLength={SEARCH_NAME_MAX}
          name={renamed?.name ?? (search || tag).slice(0, SEARCH_NAME_MAX)}
          busy={save.isPending || change.isPending}
          onName={submit}
          onCancel={() => setNaming(null)}
        />
      )}
    </nav>
  );
}

interface Props {
  creationFilter: ReturnType<typeof useCreationFilter>;
}

const isSame = (one: SavedFilter, other: SavedFilter) =>
  one.search === other.search &&
  one.type === other.type &&
  one.tag === other.tag &&
  one.favourite === other.favourite;
