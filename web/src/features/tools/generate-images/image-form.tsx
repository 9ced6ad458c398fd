import { Controller, useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import type { Job } from '#libs/contract/jobs.js';
import { imageSizes, type ImageSize } from '#libs/contract/image-sizes.js';
import { imageInputSchema, imageStyles } from '#libs/tools/generate-image/contract.js';
import { PremiumNotice, useNeedsPremium } from '../../../shared/submission/premium-notice';
import { SubmitSection } from '../../../shared/submission/submit-section';
import { useSubmission } from '../../../shared/submission/use-submission';
import { ChipsField } from '../../../shared/ui/chips-field';
import { Switch } from '../../../shared/ui/switch';
import { TextAreaField } from '../../../shared/ui/text-area-field';
import { useDraft } from '../../../shared/drafts/use-draft';
import { drafts } from '../../../shared/drafts/drafts';

const DRAFT = 'generate-images';

const sizeNames: Record<ImageSize, string> = {
  '1024x1024': 'Square',
  '1536x1024': 'Landscape',
  '1024x1536': 'Portrait',
};
const sizes = imageSizes.map((value) => ({ value, label: sizeNames[value] }));
const styles = imageStyles.map((value) => ({ value, label: value }));

/** A draft may be incomplete. */
const draftSchema = imageInputSchema.extend({ prompt: z.string().catch('') });
const blank = { prompt: '', style: imageStyles[0], size: imageSizes[0], publish: false };

export function ImageForm({ onSubmitted }: { onSubmitted: (job: Job) => void }) {
  const form = useForm({
    resolver: zodResolver(imageInputSchema),
    mode: 'onChange',
    defaultValues: { ...blank, ...draftSchema.safeParse(drafts.read(DRAFT)).data },
  });
  useDraft(DRAFT, form);
  const needsPremium = useNeedsPremium();
  const submission = useSubmission('generate-image', {
    onSubmitted,
    onFieldError: { prompt: (message) => form.setError('prompt', { message }) },
  });
  const isBlank = form.watch('prompt').trim() === '';

  return (
    <form
      onSubmit={form.handleSubmit((input) => !needsPremium && submission.send({ input }))}
      noValidate
      aria-label="Image"
      className="grid gap-6"
    >
      <PremiumNotice />
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
      <Controller
        control={form.control}
        name="publish"
        render={({ field }) => (
          <Switch
            label="Make this image public"
            hint="Everybody sees it in the community."
            checked={field.value ?? false}
            onChange={field.onChange}
          />
        )}
      />
      <SubmitSection submission={submission} disabled={isBlank || needsPremium}>
        Generate Image
      </SubmitSection>
    </form>
  );
}
