import { z } from 'zod';
import type { EngineName } from '#libs/contract/engine.js';
import type { Job } from '#libs/contract/jobs.js';
import { actionsOf, rewriteActions, rewriteInputSchema, tones } from '#libs/tools/rewrite-text/contract.js';
import { useToolForm } from '../../../modules/submission/form/use-tool-form';
import { SubmitSection } from '../../../modules/submission/form/submit-section';
import { actionNames, toneNames } from '../../../modules/text-editor/rewriting/actions';
import { ChipsField } from '../../../shared/ui/chips-field';
import { TextAreaField } from '../../../shared/ui/text-area-field';
import { TextField } from '../../../shared/ui/text-field';

const draftSchema = z.object({
  text: z.string(),
  action: z.enum(rewriteActions),
  tone: z.enum(tones),
  language: z.string(),
  instruction: z.string(),
});
const blank = { text: '', action: rewriteActions[0], tone: tones[0], language: '', instruction: '' };
const toneOptions = tones.map((value) => ({ value, label: toneNames[value] }));

interface RewriteFormProps {
  engine: EngineName | undefined;
  onSubmitted: (job: Job) => void;
}

export function RewriteForm({ engine = 'offline', onSubmitted }: RewriteFormProps) {
  const { form, submission } = useToolForm({
    tool: 'rewrite-text',
    draft: 'rewrite-text',
    schema: rewriteInputSchema,
    blank,
    readDraft: (draft) => draftSchema.safeParse(draft).data,
    onSubmitted,
    errorFields: ['text', 'language', 'instruction'],
  });
  const actions = actionsOf(engine);
  const [text, chosen, language, instruction] = form.watch(['text', 'action', 'language', 'instruction']);
  const action = actions.includes(chosen) ? chosen : rewriteActions[0];
  const isMissing =
    text.trim() === '' ||
    (action === 'translate' && !language?.trim()) ||
    (action === 'instruct' && !instruction?.trim());
  const { errors } = form.formState;

  return (
    <form
      onSubmit={form.handleSubmit((values) => {
        const { tone } = values;
        submission.send({
          input: {
            text: values.text,
            action,
            ...(action === 'tone' && { tone }),
            ...(action === 'translate' && { language: values.language }),
            ...(action === 'instruct' && { instruction: values.instruction }),
          },
        });
      })}
      noValidate
      aria-label="Text to rewrite"
      className="grid gap-6"
    >
      <TextAreaField
        label="Your text"
        required
        multiline
        placeholder="Enter your text"
        error={errors.text?.message}
        {...form.register('text')}
      />
      <ChipsField
        control={form.control}
        name="action"
        legend="Action"
        options={actions.map((value) => ({ value, label: actionNames[value].label }))}
      />
      {action === 'tone' && (
        <ChipsField control={form.control} name="tone" legend="Tone" options={toneOptions} />
      )}
      {action === 'translate' && (
        <TextField
          label="Language"
          placeholder="German"
          autoComplete="off"
          error={errors.language?.message}
          {...form.register('language')}
        />
      )}
      {action === 'instruct' && (
        <TextAreaField
          label="Your instruction"
          placeholder="Turn it into a list of steps"
          error={errors.instruction?.message}
          {...form.register('instruction')}
        />
      )}
      <SubmitSection submission={submission} disabled={isMissing}>
        Rewrite Text
      </SubmitSection>
    </form>
  );
}
