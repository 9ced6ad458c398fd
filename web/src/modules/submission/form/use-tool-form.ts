import { useForm, type DefaultValues, type FieldPath, type FieldValues } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import type { z } from 'zod';
import type { Job } from '#libs/contract/jobs.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { drafts } from '../../../shared/drafts/drafts';
import { useDraft } from '../../../shared/drafts/use-draft';
import { useFormFill } from '../../../shared/drafts/use-form-fill';
import { useSubmission } from './use-submission';

interface ToolFormOptions<N extends ToolName, Input extends FieldValues, Output> {
  tool: N;
  /** Name under which the draft is stored. */
  draft: string;
  schema: z.ZodType<Output, Input>;
  blank: DefaultValues<Input>;
  /** Parses a stored draft, which may be incomplete or of an older version. */
  readDraft: (draft: unknown) => Partial<Input> | undefined;
  onSubmitted: (job: Job) => void;
  /** Fields that show errors of the server. The first field takes the focus when a link fills in the form. */
  errorFields: readonly [FieldPath<Input>, ...FieldPath<Input>[]];
  /** By file field: shows an error of the server about that file. */
  onFileError?: Partial<Record<string, (message: string) => void>>;
}

/** Form state of a tool: validates while the user types, stores a draft, and shows the server's errors at the fields. */
export function useToolForm<N extends ToolName, Input extends FieldValues, Output>(
  options: ToolFormOptions<N, Input, Output>,
) {
  const { tool, draft, schema, blank, readDraft, onSubmitted, errorFields, onFileError } = options;
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver(schema),
    mode: 'onChange',
    defaultValues: { ...blank, ...readDraft(drafts.read(draft)) },
  });
  useDraft(draft, form);
  useFormFill(draft, form, blank, errorFields[0]);
  const showError = (field: FieldPath<Input>) => (message: string) => form.setError(field, { message });
  const submission = useSubmission(tool, {
    onSubmitted,
    onFieldError: {
      ...Object.fromEntries(errorFields.map((field) => [field, showError(field)])),
      ...onFileError,
    },
  });
  return { form, submission };
}
