import { useLocation } from 'react-router-dom';
import { z } from 'zod';
import type { Job } from '#libs/contract/jobs.js';
import { FileField } from '../../../shared/files/file-field';
import { ScanLanguageField, useScanLanguage } from '../../../shared/files/scan-language-field';
import { useFileChoice } from '../../../shared/files/use-file-choice';
import { Notice } from '../../../shared/ui/notice';
import { SubmitSection } from '../../../shared/submission/submit-section';
import { useSubmission } from '../../../shared/submission/use-submission';

/** What the link of an earlier review brings. */
const againSchema = z.object({ again: z.literal(true) });

export function ResumeForm({ onSubmitted }: { onSubmitted: (job: Job) => void }) {
  const resume = useFileChoice('review-resume', 'pdf');
  const { file } = resume;
  const scanLanguage = useScanLanguage();
  const submission = useSubmission('resume-review', {
    onSubmitted,
    onFieldError: { resume: resume.reject },
  });

  const again = againSchema.safeParse(useLocation().state).success;

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (file !== null)
          submission.send({ input: { language: scanLanguage.language }, files: { resume: file } });
      }}
      noValidate
      aria-label="Resume review"
      className="grid gap-6"
    >
      {again && (
        <Notice tone="note" title="Review it again">
          {file === null
            ? 'A resume is deleted after its review. Choose it here again, or a newer one.'
            : `“${file.name}” is still in this browser. Send it as it is, or choose a newer one.`}
        </Notice>
      )}
      <FileField label="Resume" hint="Supports PDF files only" choice={resume} />
      {file !== null && <ScanLanguageField choice={scanLanguage} />}
      <SubmitSection submission={submission} disabled={file === null}>
        Review Resume
      </SubmitSection>
    </form>
  );
}
