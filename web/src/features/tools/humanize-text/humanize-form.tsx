import clsx from 'clsx';
import { FormProvider } from 'react-hook-form';
import toast from 'react-hot-toast';
import { z } from 'zod';
import { filledBrief } from '#libs/contract/brief.js';
import type { EngineName } from '#libs/contract/engine.js';
import type { Job } from '#libs/contract/jobs.js';
import { countWords, humanizeInputSchema, MOST_WORDS } from '#libs/tools/humanize-text/contract.js';
import { BriefFields, readBriefDraft } from '../../../modules/submission/brief/brief-fields';
import { useToolForm } from '../../../modules/submission/form/use-tool-form';
import { SubmitSection } from '../../../modules/submission/form/submit-section';
import { TextAreaField } from '../../../shared/ui/text-area-field';

const draftSchema = z.object({ text: z.string() });
const blank = { text: '', tone: '', audience: '', avoid: '', rules: '', sample: '' };
const fields = ['tone', 'audience', 'avoid', 'rules', 'sample'] as const;
const OFFLINE = 'Without an AI service, the brief only lists the words to avoid that remain.';

interface HumanizeFormProps {
  /** Undefined while the configuration is loading. */
  engine: EngineName | undefined;
  onSubmitted: (job: Job) => void;
}

export function HumanizeForm({ engine, onSubmitted }: HumanizeFormProps) {
  const { form, submission } = useToolForm({
    tool: 'humanize-text',
    draft: 'humanize-text',
    schema: humanizeInputSchema,
    blank,
    readDraft: (draft) => ({ ...draftSchema.safeParse(draft).data, ...readBriefDraft(draft) }),
    onSubmitted,
    errorFields: ['text'],
  });
  const words = countWords(form.watch('text'));
  const isOver = words > MOST_WORDS;

  return (
    <form
      // Ctrl+Enter in the text field submits even if the button is disabled, so show the error then.
      onSubmit={form.handleSubmit(
        ({ text, ...brief }) => submission.send({ input: { text, ...filledBrief(brief) } }),
        ({ text }) => text?.message !== undefined && toast.error(text.message),
      )}
      noValidate
      aria-label="Text to humanize"
      className="grid gap-6"
    >
      <div className="grid gap-1.5">
        <TextAreaField
          label="Your text"
          required
          multiline
          placeholder="Enter your text"
          // If the text is too long, the note next to the counter says so instead.
          error={isOver ? undefined : form.formState.errors.text?.message}
          aria-invalid={isOver || form.formState.errors.text !== undefined || undefined}
          {...form.register('text')}
        />
        <p className="flex flex-wrap justify-between gap-x-4 text-sm">
          <span className={clsx('font-mono text-xs/5', isOver ? 'text-danger' : 'text-quiet')}>
            {words} / {MOST_WORDS} words
          </span>
          <span role="status" className="font-medium text-danger">
            {isOver && 'Exceeds word limit'}
          </span>
        </p>
      </div>
      <FormProvider {...form}>
        <BriefFields fields={fields} note={engine === 'offline' ? OFFLINE : undefined} />
      </FormProvider>
      <SubmitSection submission={submission} disabled={words === 0 || isOver}>
        Humanize Text
      </SubmitSection>
    </form>
  );
}
