import type { Job } from '#libs/contract/jobs.js';
import { Button } from '../../../components/button';
import { PdfField } from '../../../components/files/pdf-field';
import { useFileChoice } from '../../../components/files/use-file-choice';
import { SubmissionProblem } from '../../../components/proof/submission-problem';
import { useSubmission } from '../../../components/proof/use-submission';

export function ResumeForm({ onSubmitted }: { onSubmitted: (job: Job) => void }) {
  const resume = useFileChoice('review-resume', 'pdf');
  const { file } = resume;
  const submission = useSubmission('resume-review', {
    onSubmitted,
    onRefused: ({ field, message }) => {
      if (field !== 'resume') return false;
      resume.refuse(message);
      return true;
    },
  });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (file !== null) submission.send({ input: {}, files: { resume: file } });
      }}
      noValidate
      aria-label="Resume review"
      className="grid gap-6"
    >
      <PdfField label="Resume" hint="Supports PDF files only" choice={resume} />
      {submission.problem !== null && <SubmissionProblem error={submission.problem} />}
      <Button
        type="submit"
        variant="primary"
        busy={submission.sending}
        disabled={file === null || submission.wait > 0}
        className="w-full sm:w-auto lg:w-full"
      >
        Review Resume
      </Button>
    </form>
  );
}
