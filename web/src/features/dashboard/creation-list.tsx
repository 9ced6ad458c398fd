import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import clsx from 'clsx';
import toast from 'react-hot-toast';
import type { Creation } from '#libs/contract/creations.js';
import { useRenameCreation } from '../../modules/creations/api/change-creation';
import { CreationCard } from './creation-card';
import { ListPart } from './list-part';
import { PictureTile } from './picture-tile';
import type { Selection } from '../../modules/creations/use-selection';

interface CreationListProps {
  creations: readonly Creation[];
  /** True if every picture is a tile; false if a picture without neighbouring pictures is a row. */
  isGallery: boolean;
  selection: Selection;
  onDelete: (creations: readonly Creation[]) => void;
}

/** Shows texts as rows and consecutive pictures as a grid. */
export function CreationList({ creations, isGallery, selection, onDelete }: CreationListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { mutate } = useRenameCreation();
  const onFavourite = useCallback(
    ({ id, favourite }: Creation) =>
      mutate({ id, favourite: !favourite }, { onError: ({ message }) => toast.error(message) }),
    [mutate],
  );
  const remove = useRef(onDelete);
  useEffect(() => {
    remove.current = onDelete;
  });
  const focused = useRef<string | null>(null);
  const onRemove = useCallback((creation: Creation) => {
    // The deleted row contains the focused button, so move the focus to its neighbour.
    focused.current = neighbourOf(list.current, creation.id);
    focus(list.current, focused.current);
    remove.current([creation]);
  }, []);
  const runs = useMemo(() => runsOf(creations, isGallery), [creations, isGallery]);
  useLayoutEffect(() => {
    // The deletion may have moved the neighbour from a grid to a row, which loses the focus.
    if (document.activeElement === document.body) focus(list.current, focused.current);
    focused.current = null;
  }, [runs]);
  const common = { isSelecting: selection.active, onSelect: selection.toggle, onFavourite, onRemove };

  return (
    <div ref={list} className="grid gap-4">
      {runs.map(({ key, isGrid, run, continues }, index) => (
        <ListPart
          key={key}
          isFirst={index < PARTS_AT_ONCE}
          estimatedHeight={isGrid ? Math.ceil(run.length / 4) * TILE_PIXELS : run.length * ROW_PIXELS}
          className={continues && !isGrid ? '-mt-4' : undefined}
        >
          <ul
            aria-label={isGrid ? 'Pictures' : undefined}
            className={
              isGrid
                ? 'grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 xl:grid-cols-4'
                : clsx('border-line', !continues && 'border-t')
            }
          >
            {run.map((creation) => {
              const Item = isGrid ? PictureTile : CreationCard;
              const isSelected = selection.has(creation.id);
              return <Item key={creation.id} creation={creation} isSelected={isSelected} {...common} />;
            })}
          </ul>
        </ListPart>
      ))}
    </div>
  );
}

const elementsOf = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>('[data-creation]') ?? []),
];
const idOf = ({ dataset }: HTMLElement) => dataset['creation'];

function neighbourOf(list: HTMLElement | null, id: string): string | null {
  const ids = elementsOf(list).map(idOf);
  const index = ids.indexOf(id);
  return ids[index + 1] ?? ids[index - 1] ?? null;
}

const focus = (list: HTMLElement | null, id: string | null) =>
  elementsOf(list)
    .find((element) => idOf(element) === id)
    ?.focus();

interface Run {
  key: string;
  isGrid: boolean;
  run: Creation[];
  /** True if the previous part has the same layout and so no gap must be between them. */
  continues: boolean;
}

/**
 * Maximum number of creations in a part. Divisible by 2, 3 and 4, the numbers of columns, so that a full grid has no gap.
 */
const PART_MAX = 48;
const PARTS_AT_ONCE = 2;
const ROW_PIXELS = 77;
const TILE_PIXELS = 330;

/** Splits creations into parts of the same layout. Unless `isGallery`, a single picture among texts is a row. */
function runsOf(creations: readonly Creation[], isGallery: boolean): Run[] {
  const isPicture = (creation: Creation | undefined) => creation?.type === 'image';
  const runs: Run[] = [];
  creations.forEach((creation, index) => {
    const hasNeighbour = isGallery || isPicture(creations[index - 1]) || isPicture(creations[index + 1]);
    const isGrid = isPicture(creation) && hasNeighbour;
    const last = runs.at(-1);
    const continues = last?.isGrid === isGrid;
    if (continues && last.run.length < PART_MAX) last.run.push(creation);
    else runs.push({ key: `${runs.length} ${isGrid}`, isGrid, run: [creation], continues });
  });
  return runs;
}
