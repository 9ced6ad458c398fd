import { listObjects, pluralOf } from '#libs/contract/object-words.js';
import type { MaskPreview } from '#libs/contract/object-mask.js';
import { ApiFailure } from '../../../shared/http/http';
import { Button } from '../../../shared/ui/button';
import { Notice } from '../../../shared/ui/notice';
import { RadioChips } from '../../../shared/ui/radio-chips';
import { chosenIn, type MaskSearch } from './use-found-mask';

interface FoundObjectsProps {
  search: MaskSearch;
  /** Starts the search for the name in the form. */
  onSearch: () => void;
  onHide: () => void;
  disabled: boolean;
}

/** Shows what a name stands for in the picture before anything is removed, and asks which of several is meant. */
export function FoundObjects({ search, onSearch, onHide, disabled }: FoundObjectsProps) {
  const { found, choice, searching, problem, choose } = search;
  const preview = found?.preview;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={searching} disabled={disabled} onClick={onSearch}>
          {searching ? 'Looking for it' : 'Show what will be removed'}
        </Button>
        {preview !== undefined && (
          <Button size="small" variant="quiet" onClick={onHide}>
            Hide it
          </Button>
        )}
      </div>
      {preview !== undefined && preview.objects.length > 1 && (
        <RadioChips
          legend="Which of them?"
          name="chosen-object"
          value={choice}
          options={[
            { value: 'all', label: `All ${preview.objects.length}` },
            ...preview.objects.map((_, index) => ({ value: index, label: String(index + 1) })),
          ]}
          onChange={choose}
        />
      )}
      <p role="status" className="text-sm text-quiet empty:hidden">
        {searching ? 'Looking for it in the picture' : preview !== undefined && describeFound(preview)}
      </p>
      {problem !== null && !searching && <SearchProblem error={problem} />}
    </div>
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
    <Notice tone={isNotFound ? 'warning' : 'danger'} title={isNotFound ? undefined : 'No preview just now'}>
      {error.message}
    </Notice>
  );
}

/** "2 chairs found, chair 1 is chosen. Also in the picture: a person." */
function describeFound(preview: MaskPreview): string {
  const { objects, others } = preview;
  const names = [...new Set(objects.map(({ name }) => name))];
  const name = names.length === 1 ? (names[0] ?? 'object') : 'object';
  const count = `${objects.length} ${objects.length === 1 ? name : pluralOf(name)} found`;
  const choice = chosenIn(preview);
  const which =
    objects.length === 1 ? '' : choice === 'all' ? ', all are chosen' : `, ${name} ${choice + 1} is chosen`;
  const also = listObjects(others.map((other) => other.name));
  return `${count}${which}.${also === '' ? '' : ` Also in the picture: ${also}.`}`;
}
