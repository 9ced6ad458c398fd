import { FormProvider } from 'react-hook-form';
import { z } from 'zod';
import { briefFields, filledBrief } from '#libs/contract/brief.js';
import type { EngineName } from '#libs/contract/engine.js';
import type { Job } from '#libs/contract/jobs.js';
import {
  articleInputSchema,
  articleLengths,
  TOPIC_MAX_CHARACTERS,
} from '#libs/tools/generate-article/contract.js';
import { blankBrief, BriefFields, readBriefDraft } from '../../../modules/submission/brief/brief-fields';
import { FlowOffer } from '../../../modules/runs/flows/flow-offer';
import { useToolForm } from '../../../modules/submission/form/use-tool-form';
import { SubmitSection } from '../../../modules/submission/form/submit-section';
import { Notice } from '../../../shared/ui/notice';
import { ChipsField } from '../../../shared/ui/chips-field';
import { TextAreaField } from '../../../shared/ui/text-area-field';

/** Minimum length of the topic, in characters, at which the form shows a counter. */
const COUNTER_FROM = TOPIC_MAX_CHARACTERS - 500;

const OFFLINE =
  'Without an AI service, you get an outline with your brief, your points and quotes from your sources.';

const labels: Record<(typeof articleLengths)[number], string> = {
  800: 'Short (500-800 words)',
  1200: 'Medium (800-1200 words)',
  1600: 'Long (1200+ words)',
};
const lengths = articleLengths.map((value) => ({ value, label: labels[value] }));

const draftSchema = z.object({ prompt: z.string(), length: articleInputSchema.shape.length });
const blank = { prompt: '', length: articleLengths[0], ...blankBrief, points: '', sources: '' };

const inputOf = ({ prompt, length, ...brief }: z.output<typeof articleInputSchema>) => ({
  prompt,
  length,
  ...filledBrief(brief),
});

interface ArticleFormProps {
  /** Undefined while the configuration is loading. */
  engine: EngineName | undefined;
  onSubmitted: (job: Job) => void;
}

export function ArticleForm({ engine, onSubmitted }: ArticleFormProps) {
  const { form, submission } = useToolForm({
    tool: 'generate-article',
    draft: 'write-article',
    schema: articleInputSchema,
    blank,
    readDraft: (draft) => ({ ...draftSchema.safeParse(draft).data, ...readBriefDraft(draft) }),
    onSubmitted,
    errorFields: ['prompt'],
  });
  const length = form.watch('prompt').trim().length;

  return (
    <>
      <form
        onSubmit={form.handleSubmit((fields) => submission.send({ input: inputOf(fields) }))}
        noValidate
        aria-label="Article"
        className="grid gap-6"
      >
        <TextAreaField
          label="Topic"
          required
          placeholder="The future of remote work in small towns"
          error={form.formState.errors.prompt?.message}
          hint={
            length > COUNTER_FROM ? (
              <span className="font-mono text-xs">
                {length.toLocaleString('en')} / {TOPIC_MAX_CHARACTERS.toLocaleString('en')} characters
              </span>
            ) : undefined
          }
          {...form.register('prompt')}
        />
        <ChipsField control={form.control} name="length" legend="Article length" options={lengths} stacked />
        <FormProvider {...form}>
          <BriefFields fields={briefFields} />
        </FormProvider>
        {engine === 'offline' && <Notice tone="note">{OFFLINE}</Notice>}
        <SubmitSection submission={submission} disabled={length === 0}>
          {engine === 'offline' ? 'Make an outline' : 'Generate article'}
        </SubmitSection>
      </form>
      <FlowOffer
        flow="article"
        disabled={length === 0}
        readInput={() =>
          new Promise((resolve) => {
            void form.handleSubmit(
              (fields) => resolve({ input: inputOf(fields) }),
              () => resolve(null),
            )();
          })
        }
        blocked={
          engine === 'offline'
            ? { 'humanize-text': 'An outline cannot be humanized.' }
            : (form.watch('length') ?? 0) > articleLengths[0]
              ? { 'humanize-text': 'Only for short articles.' }
              : undefined
        }
      />
    </>
  );
}
