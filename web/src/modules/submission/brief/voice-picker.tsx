import { useId, useState } from 'react';
import toast from 'react-hot-toast';
import { useFormContext } from 'react-hook-form';
import { filledBrief, type Brief, type Manner, type Voice } from '#libs/contract/brief.js';
import { useDeleteVoice, useSaveVoice, useVoices } from './voices';
import { Button } from '../../../shared/ui/button';
import { FieldFrame } from '../../../shared/ui/field-frame';
import { Select } from '../../../shared/ui/select';
import { TextField } from '../../../shared/ui/text-field';
import { showUndo } from '../../../shared/ui/undo-toast';

const focus = (input: HTMLInputElement | null) => input?.focus();
const failed = ({ message }: Error) => void toast.error(message);

/** Lets the user fill in the brief from a saved voice, and save the brief as a voice. */
export function VoicePicker({ fields }: { fields: readonly (keyof Manner)[] }) {
  const form = useFormContext<Brief>();
  const { data: voices = [], isPending, failureReason, refetch } = useVoices();
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState<string | null>(null);
  const save = useSaveVoice();
  const remove = useDeleteVoice();
  const id = useId();
  const voice = voices.find((one) => one.id === chosen);

  const apply = (next: string) => {
    setChosen(next);
    const manner = voices.find((one) => one.id === next)?.manner;
    if (manner === undefined) return;
    for (const field of fields) {
      form.setValue(field, manner[field] ?? (field === 'pointOfView' ? undefined : ''), {
        shouldValidate: true,
        shouldDirty: true,
      });
    }
  };
  const keep = (target: { id?: string; name: string; manner?: Manner }) => {
    if (save.isPending) return;
    const given = filledBrief(form.getValues());
    // A voice can have values that this form has no field for. Keep those.
    const manner: Manner = { ...target.manner };
    for (const field of fields) Object.assign(manner, { [field]: given[field] });
    save.mutate(
      { ...target, manner },
      {
        onSuccess: (saved) => {
          setChosen(saved.id);
          setName(null);
          toast.success(`Voice “${saved.name}” saved`);
        },
        onError: failed,
      },
    );
  };
  const deleteVoice = ({ id, name, manner }: Voice) =>
    remove.mutate(id, {
      onSuccess: () => {
        setChosen('');
        showUndo(
          `Deleted the voice “${name}”`,
          () => void save.mutateAsync({ name, manner }).then(({ id }) => setChosen(id), failed),
        );
      },
      onError: failed,
    });

  if (isPending && failureReason !== null) {
    return (
      <p className="text-sm text-quiet">
        Your voices could not be loaded.{' '}
        <button type="button" className="underline" onClick={() => void refetch()}>
          Try again
        </button>
      </p>
    );
  }
  return (
    <div className="grid gap-2">
      {voices.length > 0 && (
        <FieldFrame id={id} label="Voice" hint="A saved brief. It fills in the fields below.">
          <Select
            id={id}
            value={voice?.id ?? ''}
            aria-describedby={`${id}-hint`}
            onChange={({ currentTarget }) => apply(currentTarget.value)}
          >
            <option value="">None</option>
            {voices.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </Select>
        </FieldFrame>
      )}
      {name === null ? (
        <div className="flex flex-wrap gap-2">
          {voice !== undefined && (
            <>
              <Button size="small" className="max-w-full" busy={save.isPending} onClick={() => keep(voice)}>
                <span className="truncate">Update “{voice.name}”</span>
              </Button>
              <Button size="small" busy={remove.isPending} onClick={() => deleteVoice(voice)}>
                Delete voice
              </Button>
            </>
          )}
          <Button size="small" onClick={() => setName('')}>
            Save this brief as a voice
          </Button>
        </div>
      ) : (
        <div className="grid gap-2">
          <TextField
            label="Name of the voice"
            value={name}
            maxLength={60}
            ref={focus}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            onKeyDown={(event) => {
              // During an IME composition, Enter confirms the composed text.
              if (event.nativeEvent.isComposing) return;
              // Prevent Enter from submitting the surrounding form.
              if (event.key === 'Enter') {
                event.preventDefault();
                if (name.trim()) keep({ name });
              } else if (event.key === 'Escape') setName(null);
            }}
          />
          <div className="flex flex-wrap gap-2">
            <Button size="small" busy={save.isPending} disabled={!name.trim()} onClick={() => keep({ name })}>
              Save the voice
            </Button>
            <Button size="small" variant="quiet" onClick={() => setName(null)}>
              Cancel
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
