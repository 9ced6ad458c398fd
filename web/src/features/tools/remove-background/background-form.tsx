import { useState } from 'react';
import { sizeHint } from '#libs/contract/limits.js';
import type { ImageBox } from '#libs/contract/images.js';
import { BatchOffer } from '../../../modules/runs/batches/batch-offer';
import { imageOf, useFileChoice } from '../../../modules/submission/files/use-file-choice';
import type { EditorFormProps } from '../../../modules/image-editor/image-editor-page';
import { useKeepMetadata } from '../../../modules/image-editor/keep-metadata';
import { FileField } from '../../../modules/submission/files/file-field';
import { PremiumNotice, useNeedsPremium } from '../../../modules/runs/jobs/premium-notice';
import { SubmitSection } from '../../../modules/submission/form/submit-section';
import { useSubmission } from '../../../modules/submission/form/use-submission';
import { BoxPicker } from './box-picker';

export function BackgroundForm({ onSubmitted, onCleared }: EditorFormProps) {
  const image = useFileChoice('remove-background', 'image');
  const { file, source } = image;
  const [drawn, setDrawn] = useState<{ file: File; box: ImageBox } | null>(null);
  const box = drawn !== null && drawn.file === file ? drawn.box : null;
  const metadata = useKeepMetadata();
  const [many, setMany] = useState<readonly File[] | null>();
  const needsPremium = useNeedsPremium();
  const submission = useSubmission('remove-image-background', {
    onSubmitted: (job, sent) => file !== null && onSubmitted(job, file, sent),
    onFieldError: { image: image.reject },
  });
  if (many)
    return (
      <div className="grid gap-6">
        <PremiumNotice />
        {metadata.field}
        <BatchOffer
          tool="remove-image-background"
          files={many}
          readInput={async () => metadata.input}
          disabled={needsPremium}
          onClose={() => setMany(null)}
        />
      </div>
    );
  return (
    <form
      aria-label="Background removal"
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (file === null) return;
        const image = imageOf(file, source);
        submission.send({ input: { ...box, ...metadata.input, ...image.input }, files: image.files });
      }}
    >
      <PremiumNotice />
      <FileField
        label="Image"
        hint={`PNG, JPG, JPEG (MAX. ${sizeHint('image')})`}
        choice={image}
        onRemove={onCleared}
        // When the user clicks "Choose again", this field replaces the clicked button, so the field takes the focus.
        focusOnMount={many === null}
        onMany={setMany}
        preview={(url) => (
          <BoxPicker
            key={url}
            url={url}
            box={box}
            onChange={(next) => setDrawn(file === null || next === null ? null : { file, box: next })}
          />
        )}
      />
      {file !== null && metadata.field}
      <SubmitSection submission={submission} disabled={file === null || needsPremium}>
        Remove Background
      </SubmitSection>
    </form>
  );
}
