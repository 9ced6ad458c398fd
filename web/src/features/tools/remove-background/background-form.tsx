import { useFileChoice } from '../../../shared/files/use-file-choice';
import type { EditorFormProps } from '../../../shared/images/image-editor-page';
import { FileField } from '../../../shared/files/file-field';
import { PremiumNotice, useNeedsPremium } from '../../../shared/submission/premium-notice';
import { SubmitSection } from '../../../shared/submission/submit-section';
import { useSubmission } from '../../../shared/submission/use-submission';

export function BackgroundForm({ onSubmitted, onCleared }: EditorFormProps) {
  const image = useFileChoice('remove-background', 'image');
  const { file } = image;
  const needsPremium = useNeedsPremium();
  const submission = useSubmission('remove-image-background', {
    onSubmitted: (job) => file !== null && onSubmitted(job, file),
    onFieldError: { image: image.reject },
  });
  return (
    <form
      aria-label="Background removal"
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (file !== null) submission.send({ input: {}, files: { image: file } });
      }}
    >
      <PremiumNotice />
      <FileField label="Image" hint="PNG, JPG, JPEG (MAX. 10MB)" choice={image} onRemove={onCleared} />
      <SubmitSection submission={submission} disabled={file === null || needsPremium}>
        Remove Background
      </SubmitSection>
    </form>
  );
}
