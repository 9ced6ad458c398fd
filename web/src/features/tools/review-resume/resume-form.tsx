import clsx from 'clsx';
import { Workflow } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Job } from '#libs/contract/jobs.js';
import { FileField } from '../../../modules/submission/files/file-field';
import { ScanLanguageOfFile, useScanLanguage } from '../../../modules/submission/files/scan-language-field';
import {
  RepeatResumeNotice,
  useEarlierResult,
  useResumeChoice,
} from '../../../modules/submission/resume/resume-choice';
import { SubmitSection } from '../../../modules/submission/form/submit-section';
import { useSubmission } from '../../../modules/submission/form/use-submission';
import { paths } from '../../../shared/paths';
import { useFindToolPage } from '../../../shared/tools/tool-pages';
import { buttonClass } from '../../../shared/ui/button';

export function ResumeForm({ onSubmitted }: { onSubmitted: (job: Job, earlierId?: string) => void }) {
  const resume = useResumeChoice();
  const { file } = resume;
  const scanLanguage = useScanLanguage();
  const repeat = useEarlierResult();
  const scorePage = useFindToolPage()('calculate-ats-score');
  const submission = useSubmission('resume-review', {
    onSubmitted: (job) => onSubmitted(job, repeat?.earlierId),
    onFieldError: { resume: resume.reject },
  });

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
      <RepeatResumeNotice file={file} tool="resume-review" />
      <FileField label="Resume" hint="Supports PDF and Word (.docx) files" choice={resume} />
      <ScanLanguageOfFile file={file} choice={scanLanguage} />
      <SubmitSection submission={submission} disabled={file === null}>
        Review Resume
      </SubmitSection>
      {scorePage !== undefined && (
        <Link
          to={paths.tool(scorePage.segment)}
          state={{ inOneRun: true }}
          className={clsx(buttonClass('plain'), 'w-full sm:w-auto lg:w-full')}
        >
          <Workflow aria-hidden="true" className="size-4" />
          Run all steps
        </Link>
      )}
    </form>
  );
}
