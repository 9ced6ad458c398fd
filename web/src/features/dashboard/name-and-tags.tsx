import { useId, useRef, useState, type FormEvent, type Ref } from 'react';
import { Pencil, Plus, X } from 'lucide-react';
import toast from 'react-hot-toast';
import { MAX_TAGS, NAME_MAX, TAG_MAX, type Creation } from '#libs/contract/creations.js';
import { useRenameCreation, useTagCreations } from '../../modules/creations/api/change-creation';
import { useCreationTags } from '../../modules/creations/api/creation-pages';
import { Button } from '../../shared/ui/button';
import { controlClass } from '../../shared/ui/field-frame';
import { NameForm } from '../../modules/creations/name-form';

const failed = ({ message }: Error) => void toast.error(message);

/** Shows the name and tags of a creation and lets the user change them. */
export function NameAndTags({ creation }: { creation: Creation }) {
  const [isRenaming, setIsRenaming] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLDivElement>(null);
  const close = () => {
    // Restore the focus only if it is still in the form: the user may have moved it before the response.
    const hadFocus = form.current?.contains(document.activeElement) === true;
    setIsRenaming(false);
    if (!hadFocus) return;
    // Wait until the button is rendered again.
    setTimeout(() => opener.current?.focus());
  };
  return (
    <div className="mb-6 grid gap-3">
      {creation.name !== null && (
        <p className="text-sm text-quiet wrap-anywhere">Prompt: {creation.prompt}</p>
      )}
      {isRenaming && (
        <div ref={form}>
          <RenameForm creation={creation} onDone={close} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {!isRenaming && (
          <Button ref={opener} size="small" onClick={() => setIsRenaming(true)}>
            <Pencil aria-hidden="true" className="size-4" />
            Rename
          </Button>
        )}
        <Tags creation={creation} />
      </div>
    </div>
  );
}

function RenameForm({ creation: { id, name, prompt }, onDone }: { creation: Creation; onDone: () => void }) {
  const rename = useRenameCreation();
  const save = (next: string | null) =>
    rename.mutate({ id, name: next }, { onSuccess: onDone, onError: failed });
  return (
    <NameForm
      label="Name"
      name={name ?? prompt.slice(0, NAME_MAX)}
      maxLength={NAME_MAX}
      busy={rename.isPending}
      onName={save}
      onCancel={onDone}
    >
      {name !== null && (
        <Button size="small" onClick={() => save(null)}>
          Show the prompt
        </Button>
      )}
    </NameForm>
  );
}

function Tags({ creation: { id, tags } }: { creation: Creation }) {
  const change = useTagCreations();
  const field = useRef<HTMLInputElement>(null);
  const set = (tag: string, add: boolean) => change.mutateAsync({ ids: [id], tag, add });
  return (
    <>
      {tags.length > 0 && (
        <ul aria-label="Tags" className="contents">
          {tags.map((tag) => (
            <li key={tag} className="flex max-w-full items-center rounded-control border border-line text-sm">
              <span className="truncate pl-3">{tag}</span>
              <button
                type="button"
                aria-label={`Remove the tag ${tag}`}
                onClick={() => {
                  set(tag, false).catch(failed);
                  field.current?.focus();
                }}
                className="grid size-9 shrink-0 place-items-center text-quiet hover:text-ink touch:size-11"
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {tags.length < MAX_TAGS && (
        <TagForm ref={field} busy={change.isPending} without={tags} onTag={(tag) => set(tag, true)} />
      )}
    </>
  );
}

interface TagFormProps {
  ref?: Ref<HTMLInputElement>;
  busy: boolean;
  /** Tags that must not be suggested. */
  without?: readonly string[];
  /** True if the user has just opened the field, so that it takes the focus. */
  isOpened?: boolean;
  /** Adds the tag. If the promise rejects, the field keeps the text. */
  onTag: (tag: string) => Promise<unknown>;
}

/** Field to add one tag; suggests existing tags. */
export function TagForm({ ref, busy, without = [], isOpened = false, onTag }: TagFormProps) {
  const id = useId();
  const [tag, setTag] = useState('');
  const suggestions = useCreationTags().filter((each) => !without.includes(each));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tag.trim() === '') return;
    onTag(tag.trim()).then(() => setTag((now) => (now === tag ? '' : now)), failed);
  };
  return (
    <form onSubmit={submit} className="flex items-center gap-1">
      <input
        ref={ref}
        aria-label="New tag"
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={isOpened}
        list={id}
        value={tag}
        maxLength={TAG_MAX}
        autoComplete="off"
        placeholder="Add a tag"
        onChange={(event) => setTag(event.target.value)}
        className={`${controlClass} min-h-9 w-36 py-1 text-sm touch:min-h-11`}
      />
      <datalist id={id}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <Button
        type="submit"
        size="small"
        variant="quiet"
        busy={busy}
        aria-label="Add the tag"
        className="min-w-11"
      >
        {!busy && <Plus aria-hidden="true" className="size-4" />}
      </Button>
    </form>
  );
}
