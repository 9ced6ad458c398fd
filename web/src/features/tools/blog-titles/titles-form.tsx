import { FormProvider } from 'react-hook-form';
import { z } from 'zod';
import { filledBrief } from '#libs/contract/brief.js';
import type { EngineName } from '#libs/contract/engine.js';
import type { Job } from '#libs/contract/jobs.js';
import { titleCategories, titlesInputSchema } from '#libs/tools/generate-blog-title/contract.js';
import { blankBrief, BriefFields, readBriefDraft } from '../../../modules/submission/brief/brief-fields';
import { useToolForm } from '../../../modules/submission/form/use-tool-form';
import { SubmitSection } from '../../../modules/submission/form/submit-section';
import { ChipsField } from '../../../shared/ui/chips-field';
import { TextField } from '../../../shared/ui/text-field';

const [general] = titleCategories;
const categories = titleCategories.map((value) => ({ value, label: value }));

const draftSchema = z.object({ prompt: z.string(), category: z.enum(titleCategories) });
const blank = { prompt: '', category: general, ...blankBrief };
const fields = ['tone', 'audience', 'language', 'pointOfView', 'avoid', 'rules', 'sample'] as const;
const OFFLINE = 'Without an AI service, only the words to avoid are used.';

interface TitlesFormProps {
  /** Undefined while the configuration is loading. */
  engine: EngineName | undefined;
  onSubmitted: (job: Job) => void;
}

export function TitlesForm({ engine, onSubmitted }: TitlesFormProps) {
  const { form, submission } = useToolForm({
    tool: 'generate-blog-title',
    draft: 'blog-titles',
    schema: titlesInputSchema,
    blank,
    readDraft: (draft) => ({ ...draftSchema.safeParse(draft).data, ...readBriefDraft(draft) }),
    onSubmitted,
    errorFields: ['prompt'],
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
