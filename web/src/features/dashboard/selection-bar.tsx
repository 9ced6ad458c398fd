import { useState } from 'react';
import { Download, Tag, Trash2 } from 'lucide-react';
import toast from 'react-hot-toast';
import { MAX_SELECTED } from '#libs/contract/creations.js';
import { useTagCreations, useDownloadZip } from '../../modules/creations/api/change-creation';
import { formatCount } from '../../shared/lib/format';
import { Button } from '../../shared/ui/button';
import { TagForm } from './name-and-tags';
import { showUndo } from '../../shared/ui/undo-toast';
import type { Selection } from '../../modules/creations/use-selection';

interface SelectionBarProps {
  selection: Selection;
  listed: number;
  onDelete: (ids: readonly string[]) => void;
}

/** Sticky bar with the actions for the selected creations. */
export function SelectionBar({ selection, listed, onDelete }: SelectionBarProps) {
  const [isTagging, setIsTagging] = useState(false);
  const tags = useTagCreations();
  const zip = useDownloadZip();
  const { chosen, all, none, stop } = selection;
  const isFull = chosen.length > 0 && chosen.length >= Math.min(listed, MAX_SELECTED);
  const tooMany = chosen.length > MAX_SELECTED;
  const unusable = chosen.length === 0 || tooMany;
  // Close the tag field while nothing or too much is selected. Otherwise it would take the focus when it appears again.
  if (unusable && isTagging) setIsTagging(false);
  const failed = ({ message }: Error) => void toast.error(message);

  const setTag = async (ids: string[], tag: string, add: boolean) => {
    const { changed, tag: stored } = await tags.mutateAsync({ ids, tag, add });
    const done = `${add ? 'Tagged' : 'Removed the tag from'} ${formatCount(changed.length, 'creation')}`;
    if (!add || changed.length === 0) toast.success(`${done} ${add ? `with “${stored}”` : ''}`);
    else showUndo(`${done} with “${stored}”`, () => void setTag(changed, stored, false).catch(failed));
  };
  const download = () =>
    zip.mutate(chosen, {
      onSuccess: (count) => void toast.success(`Downloading ${formatCount(count, 'creation')}`),
      onError: failed,
    });

  return (
    <section
      aria-label="Selected creations"
      className="panel sticky top-[4.5rem] z-20 mb-4 flex flex-wrap items-center gap-2 p-2 shadow-[0_8px_24px_rgb(0_0_0/0.12)]"
    >
      <p role="status" className="mr-auto px-2 text-sm font-semibold">
        {tooMany ? `${chosen.length} selected; at most ${MAX_SELECTED} at once` : `${chosen.length} selected`}
      </p>
      <Button size="small" variant="quiet" onClick={isFull ? none : all}>
        {isFull ? 'Select none' : listed > MAX_SELECTED ? `Select the first ${MAX_SELECTED}` : 'Select all'}
      </Button>
      <Button
        size="small"
        waiting={unusable}
        busy={tags.isPending}
        aria-expanded={isTagging}
        onClick={() => setIsTagging(!isTagging)}
      >
        <Tag aria-hidden="true" className="size-4" />
        Tag
      </Button>
      <Button size="small" waiting={unusable} busy={zip.isPending} onClick={download}>
        <Download aria-hidden="true" className="size-4" />
        ZIP
      </Button>
      <Button size="small" variant="danger" waiting={unusable} onClick={() => onDelete(chosen)}>
        <Trash2 aria-hidden="true" className="size-4" />
        Delete
      </Button>
      <Button size="small" variant="quiet" onClick={stop}>
        Done
      </Button>
      {isTagging && (
        <div className="flex w-full justify-end">
          <TagForm busy={tags.isPending} isOpened onTag={(tag) => setTag([...chosen], tag, true)} />
        </div>
      )}
    </section>
  );
}
