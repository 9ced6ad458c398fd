import { FormProvider, useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { filledBrief } from '#libs/contract/brief.js';
import type { EngineName } from '#libs/contract/engine.js';
import type { Job } from '#libs/contract/jobs.js';
import { titleCategories, titlesInputSchema } from '#libs/tools/generate-blog-title/contract.js';
import { blankBrief, BriefFields, readBriefDraft } from '../../../modules/submission/brief/brief-fields';
import { SubmitSection } from '../../../modules/submission/form/submit-section';
import { useSubmission } from '../../../modules/submission/form/use-submission';
import { ChipsField } from '../../../shared/ui/chips-field';
import { TextField } from '../../../shared/ui/text-field';
import { useFormFill } from '../../../shared/drafts/use-form-fill';
import { useDraft } from '../../../shared/drafts/use-draft';
import { drafts } from '../../../shared/drafts/drafts';

const DRAFT = 'blog-titles';
const [general] = titleCategories;
const categories = titleCategories.map((value) => ({ value, label: value }));

const draftSchema = z.object({ prompt: z.string(), category: z.enum(titleCategories) });
const blank = { prompt: '', category: general, ...blankBrief };
const fields = ['tone', 'audience', 'language', 'pointOfView', 'avoid', 'rules', 'sample'] as const;
const OFFLINE = 'Without an AI service, only the words to avoid are used.';

interface TitlesFormProps {
  /** What suggests them; undefined while that is loading. */
  engine: EngineName | undefined;
  onSubmitted: (job: Job) => void;
}

export function TitlesForm({ engine, onSubmitted }: TitlesFormProps) {
  const form = useForm({
    resolver: zodResolver(titlesInputSchema),
    mode: 'onChange',
    defaultValues: {
      ...blank,
      ...draftSchema.safeParse(drafts.read(DRAFT)).data,
      ...readBriefDraft(drafts.read(DRAFT)),
    },
  });
  useDraft(DRAFT, form);
  useFormFill(DRAFT, form, blank, 'prompt');
  const submission = useSubmission('generate-blog-title', {
    onSubmitted,
    onFieldError: { prompt: (message) => form.setError('prompt', { message }) },
  });
  const isBlank = form.watch('prompt').trim() === '';

  return (
    <form
      onSubmit={form.handleSubmit(({ prompt, category, ...brief }) =>
        submission.send({ input: { prompt, category, ...filledBrief(brief) } }),
      )}
      noValidate
      aria-label="Titles"
      className="grid gap-6"
    >
      <TextField
        label="Keyword"
        required
        autoComplete="off"
        placeholder="Sourdough for beginners"
        error={form.formState.errors.prompt?.message}
        {...form.register('prompt')}
      />
      <ChipsField control={form.control} name="category" legend="Category" options={categories} />
      <FormProvider {...form}>
        <BriefFields fields={fields} note={engine === 'offline' ? OFFLINE : undefined} />
      </FormProvider>
      <SubmitSection submission={submission} disabled={isBlank}>
        Generate titles
      </SubmitSection>
    </form>
  );
}
