import { listObjects, pluralOf, type FoundObject, type MaskPreview } from '#libs/contract/object-mask.js';
import { ApiFailure } from '../../../shared/http/http';
import { Button } from '../../../shared/ui/button';
import { Notice } from '../../../shared/ui/notice';
import { RadioChips } from '../../../shared/ui/radio-chips';
import { chosenIn, type MaskSearch } from './use-found-mask';

interface FoundObjectsProps {
  search: MaskSearch;
  onSearch: () => void;
  onHide: () => void;
  disabled: boolean;
}

/** Shows which objects were found by name or click, and lets the user choose the object to remove. */
export function FoundObjects({ search, onSearch, onHide, disabled }: FoundObjectsProps) {
  const { found, choice, choose, clickedAt } = search;
  const isByName = clickedAt === null;
  const preview = isByName ? found?.preview : undefined;
  const searching = isByName && search.searching;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={searching} disabled={disabled} onClick={onSearch}>
          {searching ? 'Searching' : 'Show what will be removed'}
        </Button>
        {preview !== undefined && (
          <Button size="small" variant="quiet" onClick={onHide}>
            Hide preview
          </Button>
        )}
      </div>
      {preview !== undefined && preview.objects.length > 1 && (
        <RadioChips
          legend="Which one?"
          name="chosen-object"
          value={choice}
          options={[
            { value: 'all', label: `All ${preview.objects.length}` },
            ...preview.objects.map((_, index) => ({ value: index, label: String(index + 1) })),
          ]}
          onChange={choose}
        />
      )}
      <SearchStatus search={isByName ? search : null} />
    </div>
  );
}

/** Live region and notices with the progress, result or error of a search. */
export function SearchStatus({ search }: { search: MaskSearch | null }) {
  return (
    <>
      <p role="status" className="text-sm text-quiet empty:hidden">
        {search !== null && describeSearch(search)}
      </p>
      {search !== null && search.problem !== null && !search.searching && (
        <SearchProblem error={search.problem} />
      )}
    </>
  );
}

function describeSearch({ searching, problem, found, clickedAt }: MaskSearch): string | false {
  if (searching) return clickedAt === null ? 'Searching the image' : 'Checking the point you clicked';
  return (
    problem === null &&
    found !== null &&
    (clickedAt === null ? describeFound : describeClicked)(found.preview)
  );
}

function SearchProblem({ error }: { error: Error }) {
  if (!(error instanceof ApiFailure)) {
    return (
      <Notice tone="danger">The preview could not be shown. Try again, or paint over the object.</Notice>
    );
  }
  const isNotFound = error.code === 'ENGINE_CANNOT';
  return (
    <Notice tone={isNotFound ? 'warning' : 'danger'} title={isNotFound ? undefined : 'Preview not available'}>
      {error.message}
    </Notice>
  );
}

/** Text such as "Found: a person. Also in the picture: two chairs." */
function describeClicked({ objects, others }: MaskPreview): string {
  return `Found: ${namesOf(objects)}.${otherObjects(others)}`;
}

const namesOf = (objects: readonly FoundObject[]) => listObjects(objects.map(({ name }) => name));
const otherObjects = (others: readonly FoundObject[]) =>
  others.length === 0 ? '' : ` Also in the picture: ${namesOf(others)}.`;

/** Text such as "2 chairs found, chair 1 is selected. Also in the picture: a person." */
function describeFound(preview: MaskPreview): string {
  const { objects, others } = preview;
  const names = [...new Set(objects.map(({ name }) => name))];
  const name = names.length === 1 ? (names[0] ?? 'object') : 'object';
  const count = `${objects.length} ${objects.length === 1 ? name : pluralOf(name)} found`;
  const choice = chosenIn(preview);
  const which =
    objects.length === 1
      ? ''
      : choice === 'all'
        ? ', all are selected'
        : `, ${name} ${choice + 1} is selected`;
  return `${count}${which}.${otherObjects(others)}`;
}
