import { useForm } from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import toast from 'react-hot-toast';
import { z } from 'zod';
import type { Job } from '#libs/contract/jobs.js';
import { BOTH_NEEDED, calculateAtsScore } from '#libs/tools/calculate-ats-score/contract.js';
import { FileField } from '../../../shared/files/file-field';
import { ScanLanguageField, useScanLanguage } from '../../../shared/files/scan-language-field';
import { useFileChoice } from '../../../shared/files/use-file-choice';
import { SubmitSection } from '../../../shared/submission/submit-section';
import { useSubmission } from '../../../shared/submission/use-submission';
import { TextAreaField } from '../../../shared/ui/text-area-field';
import { useDraft } from '../../../shared/drafts/use-draft';
import { drafts } from '../../../shared/drafts/drafts';

const DRAFT = 'calculate-ats-score';
const draftSchema = z.object({ jobDescription: z.string() });

export function AtsForm({ onSubmitted }: { onSubmitted: (job: Job) => void }) {
  const form = useForm({
    resolver: zodResolver(calculateAtsScore.input),
    mode: 'onChange',
    defaultValues: draftSchema.safeParse(drafts.read(DRAFT)).data ?? { jobDescription: '' },
  });
  useDraft(DRAFT, form);
  const resume = useFileChoice(DRAFT, 'pdf');
  const { file } = resume;
  const scanLanguage = useScanLanguage();
  const submission = useSubmission('calculate-ats-score', {
    onSubmitted,
    onFieldError: {
      resume: resume.reject,
      jobDescription: (message) => form.setError('jobDescription', { message }),
    },
  });
  const isBlank = form.watch('jobDescription').trim() === '';

  return (
    <form
      // The button is disabled until both are present; Ctrl+Enter in the text field is not.
      onSubmit={form.handleSubmit(
        (input) => {
          if (file === null) toast.error(BOTH_NEEDED);
          else
            submission.send({
              input: { ...input, language: scanLanguage.language },
              files: { resume: file },
            });
        },
        ({ jobDescription }) => toast.error(jobDescription?.message ?? BOTH_NEEDED),
      )}
      noValidate
      aria-label="ATS score"
      className="grid gap-6"
    >
      <FileField label="Resume" hint="Maximum file size: 5MB" choice={resume} />
      {file !== null && <ScanLanguageField choice={scanLanguage} />}
      <TextAreaField
        label="Job description"
        required
        multiline
        placeholder="Paste the job description here"
        error={form.formState.errors.jobDescription?.message}
        {...form.register('jobDescription')}
      />
      <SubmitSection submission={submission} disabled={file === null || isBlank}>
        Calculate ATS Score
      </SubmitSection>
    </form>
  );
}
