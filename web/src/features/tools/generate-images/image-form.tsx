import { Controller } from 'react-hook-form';
import { z } from 'zod';
import type { EngineName } from '#libs/contract/engine.js';
import { imageSizes, type ImageSize } from '#libs/contract/images.js';
import type { Job } from '#libs/contract/jobs.js';
import { imageInputSchema, imageStyles, MAX_SEED, MOST_IMAGES } from '#libs/tools/generate-image/contract.js';
import { useConfig } from '../../../shared/account/read-config';
import { useSource } from '../../../modules/creations/use-source';
import { SourceField } from '../../../modules/creations/source-field';
import { PremiumNotice, useNeedsPremium } from '../../../modules/runs/jobs/premium-notice';
import { useToolForm } from '../../../modules/submission/form/use-tool-form';
import { SubmitSection } from '../../../modules/submission/form/submit-section';
import { ChipsField } from '../../../shared/ui/chips-field';
import { Switch } from '../../../shared/ui/switch';
import { TextField } from '../../../shared/ui/text-field';
import { TextAreaField } from '../../../shared/ui/text-area-field';

const sizeNames: Record<ImageSize, string> = {
  '1024x1024': 'Square',
  '1536x1024': 'Landscape',
  '1024x1536': 'Portrait',
};
const sizes = imageSizes.map((value) => ({ value, label: sizeNames[value] }));
const styles = imageStyles.map((value) => ({ value, label: value }));

const counts = Array.from({ length: MOST_IMAGES }, (_, index) => ({
  value: index + 1,
  label: `${index + 1}`,
}));
const SEED_MESSAGE = `A seed is a whole number from 0 to ${MAX_SEED}.`;

/** Input of the form: the seed is text, and the source creation is not a field but comes from the URL. */
const formSchema = imageInputSchema.omit({ creation: true }).extend({
  seed: z
    .string()
    .trim()
    .regex(/^\d*$/, SEED_MESSAGE)
    .refine((seed) => Number(seed) <= MAX_SEED, SEED_MESSAGE)
    .default(''),
});
/** Like the form's schema, but accepts incomplete drafts. */
const draftSchema = formSchema.extend({ prompt: z.string().catch(''), seed: z.string().catch('') });
const blank = {
  prompt: '',
  style: imageStyles[0],
  size: imageSizes[0],
  publish: false,
  count: 1,
  seed: '',
};

interface ImageFormProps {
  /** Undefined while the configuration is loading. */
  engine: EngineName | undefined;
  onSubmitted: (job: Job) => void;
}

export function ImageForm({ engine, onSubmitted }: ImageFormProps) {
  const { form, submission } = useToolForm({
    tool: 'generate-image',
    draft: 'generate-images',
    schema: formSchema,
    blank,
    readDraft: (draft) => draftSchema.safeParse(draft).data,
    onSubmitted,
    errorFields: ['prompt', 'seed'],
  });
  const needsPremium = useNeedsPremium();
  const source = useSource();
  const isBlank = form.watch('prompt').trim() === '';

  const count = form.watch('count') ?? 1;
  const config = useConfig().data;
  const canChange = config?.changesImages !== false;
  const canPublish = config?.publishing !== 'off';
  const hasSeed = engine === 'offline';
  const send = ({ seed, ...input }: z.output<typeof formSchema>) => {
    if (needsPremium || source.loading) return;
    submission.send({
      input: {
        ...input,
        publish: canPublish && input.publish,
        ...(hasSeed && seed !== '' && { seed: Number(seed) }),
        ...(canChange && source.source && { creation: source.source.creation.id }),
      },
    });
  };

  return (
    <form onSubmit={form.handleSubmit(send)} noValidate aria-label="Image" className="grid gap-6">
      <PremiumNotice />
      <SourceField source={source} canChange={canChange} />
      <TextAreaField
        label="Description"
        required
        rows={4}
        placeholder="A lighthouse on a cliff at dusk, its lamp just lit"
        error={form.formState.errors.prompt?.message}
        {...form.register('prompt')}
      />
      <ChipsField control={form.control} name="style" legend="Style" options={styles} />
      <ChipsField control={form.control} name="size" legend="Shape" options={sizes} />
      <ChipsField control={form.control} name="count" legend="Number of images" options={counts} />
      {hasSeed && (
        <TextField
          label="Seed (optional)"
          inputMode="numeric"
          autoComplete="off"
          placeholder="Random"
          hint="The same description and seed give the same image."
          error={form.formState.errors.seed?.message}
          {...form.register('seed')}
        />
      )}
      {canPublish && (
        <Controller
          control={form.control}
          name="publish"
          render={({ field }) => (
            <Switch
              label="Make this image public"
              hint={`Everyone can see it in the community, with this description and your name.${config?.publishing === 'review' ? ' Whoever runs this server looks at it first.' : ''}`}
              checked={field.value ?? false}
              onChange={field.onChange}
            />
          )}
        />
      )}
      <SubmitSection
        submission={submission}
        count={count}
        disabled={isBlank || needsPremium || source.loading}
      >
        {count === 1 ? 'Generate Image' : `Generate ${count} Images`}
      </SubmitSection>
    </form>
  );
}
