import { useId, useState } from 'react';
import { ChevronDown } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { z } from 'zod';
import { manner, pointsOfView, type Brief, type Manner } from '#libs/contract/brief.js';
import { FieldFrame } from '../../../shared/ui/field-frame';
import { Select } from '../../../shared/ui/select';
import { TextAreaField } from '../../../shared/ui/text-area-field';
import { TextField } from '../../../shared/ui/text-field';
import { VoicePicker } from './voice-picker';

/** The values of an empty brief. */
export const blankBrief: Brief = {
  tone: '',
  audience: '',
  language: '',
  pointOfView: undefined,
  avoid: '',
  rules: '',
  sample: '',
};

const text = z.string().optional();
const draftSchema = z
  .object({
    ...{ tone: text, audience: text, language: text, avoid: text, rules: text, sample: text },
    ...{ points: text, sources: text },
    pointOfView: manner.pointOfView.catch(undefined),
  })
  .catch({});

/** Parses the brief of a draft, also if its texts are too long to submit. */
export const readBriefDraft = (draft: unknown): Brief => draftSchema.parse(draft);

const lines: Partial<Record<keyof Brief, { label: string; placeholder: string; hint?: string }>> = {
  tone: { label: 'Tone', placeholder: 'Warm and plain' },
  audience: { label: 'Readers', placeholder: 'People with a small balcony' },
  language: { label: 'Language', placeholder: 'Same as your text' },
  avoid: { label: 'Words to avoid', placeholder: 'delve, game-changer', hint: 'Separated by commas' },
};

const areas: Partial<Record<keyof Brief, { label: string; hint: string }>> = {
  points: { label: 'Points to cover', hint: 'One per line' },
  rules: { label: 'Do’s and don’ts', hint: 'One per line, such as “No exclamation marks”' },
  sample: { label: 'Writing sample', hint: 'The result follows its style, not its facts' },
  sources: {
    label: 'Sources',
    hint: 'Paste texts with the facts. They are quoted by paragraph number.',
  },
};

const isOfManner = (field: keyof Brief): field is keyof Manner => Object.hasOwn(manner, field);

interface BriefFieldsProps {
  fields: readonly (keyof Brief)[];
  /** Hint, shown if the engine ignores parts of the brief. */
  note?: string;
}

/** The fields of a brief, initially collapsed. Must be inside a form's `FormProvider`. */
export function BriefFields({ fields, note }: BriefFieldsProps) {
  const { register, watch, formState } = useFormContext<Brief>();
  const [open, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const id = useId();
  const filled = watch(fields).filter(Boolean).length;
  const { errors } = formState;
  // Expand if a field has an error, so that the user sees the error.
  const isOpen = open || fields.some((field) => errors[field]);
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setOpen(!isOpen);
          setWasOpen(true);
        }}
        className="flex min-h-11 w-full items-center gap-2 text-left text-sm font-semibold"
      >
        <ChevronDown
          aria-hidden="true"
          className={`size-4 text-quiet transition-transform duration-200 ${isOpen ? 'rotate-180' : ''}`}
        />
        Brief
        <span className="font-normal text-quiet">
          {filled > 0 ? `${filled} filled in` : 'tone, readers, words to avoid and more'}
        </span>
      </button>
      <div id={id} hidden={!isOpen} className="grid gap-5 pt-3">
        {(isOpen || wasOpen) && <VoicePicker fields={fields.filter(isOfManner)} />}
        {note !== undefined && <p className="text-sm text-quiet">{note}</p>}
        {fields.map((field) => {
          const error = errors[field]?.message;
          const line = lines[field];
          if (line) return <TextField key={field} {...line} error={error} {...register(field)} />;
          const area = areas[field];
          if (area)
            return (
              <TextAreaField key={field} {...area} multiline compact error={error} {...register(field)} />
            );
          return <PointOfViewField key={field} />;
        })}
      </div>
    </div>
  );
}

function PointOfViewField() {
  const { register } = useFormContext<Brief>();
  const id = useId();
  return (
    <FieldFrame id={id} label="Point of view">
      <Select
        id={id}
        {...register('pointOfView', { setValueAs: (value: string | undefined) => value || undefined })}
      >
        <option value="">Automatic</option>
        {Object.entries(pointsOfView).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
    </FieldFrame>
  );
}
