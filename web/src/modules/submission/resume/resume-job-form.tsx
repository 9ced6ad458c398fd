import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import toast from 'react-hot-toast';
import { z } from 'zod';
import type { Job } from '#libs/contract/jobs.js';
import { BOTH_NEEDED, EXCLUDE_MAX_CHARACTERS, resumeAndJobInput } from '#libs/contract/resume-and-job.js';
import { sizeHint } from '#libs/contract/limits.js';
import { withoutSources } from '#libs/contract/markdown.js';
import { useCreation } from '../../creations/api/creation-pages';
import { FileField } from '../files/file-field';
import type { FlowOfferProps } from '../../runs/flows/flow-offer';
import { ScanLanguageOfFile, useScanLanguage } from '../files/scan-language-field';
import { useToolForm } from '../form/use-tool-form';
import { SubmitSection } from '../form/submit-section';
import { Checkbox } from '../../../shared/ui/checkbox';
import { TextAreaField } from '../../../shared/ui/text-area-field';
import { RepeatResumeNotice, useEarlierResult, useResumeChoice } from './resume-choice';

const draftSchema = z.object({ jobDescription: z.string() });

interface ResumeJobFormProps {
  tool: 'calculate-ats-score' | 'tailored-bullets' | 'cover-letter';
  label: string;
  /** Text of the submit button. */
  submit: string;
  /** @param beside ID of the earlier creation to compare the result with */
  onSubmitted: (job: Job, earlierId?: string) => void;
  /** Rendered below the form, to start a flow with the form's input. */
  inOneRun?: (form: Pick<FlowOfferProps, 'disabled' | 'readInput'>) => ReactNode;
}

/** Form of tools that take a resume and a job description. Both are stored, so that the next tool's form has them too. */
export function ResumeJobForm({ tool, label, submit, onSubmitted, inOneRun }: ResumeJobFormProps) {
  const repeat = useEarlierResult();
  const resume = useResumeChoice();
  const { file } = resume;
  const scanLanguage = useScanLanguage();
  const [isOther, setOther] = useState(true);
  const earlier = useCreation(tool === 'calculate-ats-score' ? null : (repeat?.earlierId ?? null)).data;
  const exclude =
    earlier !== undefined && isOther
      ? withoutSources(earlier.content).slice(0, EXCLUDE_MAX_CHARACTERS)
      : undefined;
  const { form, submission } = useToolForm({
    tool,
    draft: 'job-description',
    schema: resumeAndJobInput,
    blank: { jobDescription: '' },
    readDraft: (draft) => draftSchema.safeParse(draft).data,
    onSubmitted: (job) => onSubmitted(job, repeat?.earlierId),
    errorFields: ['jobDescription'],
    onFileError: { resume: resume.reject },
  });
  const isBlank = form.watch('jobDescription').trim() === '';

  const { key } = useLocation();
  const { setFocus } = form;
  useEffect(() => {
    if (repeat !== null) setFocus('jobDescription');
    // Only after a navigation, not when `again` changes its identity.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);

  return (
    <>
      <form
        // The button is disabled without a resume or job description, but Ctrl+Enter in the text field submits anyway.
        onSubmit={form.handleSubmit(
          (input) => {
            if (file === null) toast.error(BOTH_NEEDED);
            else
              submission.send({
                input: { ...input, language: scanLanguage.language, exclude },
                files: { resume: file },
              });
          },
          ({ jobDescription }) => toast.error(jobDescription?.message ?? BOTH_NEEDED),
        )}
        noValidate
        aria-label={label}
        className="grid gap-6"
      >
        <RepeatResumeNotice file={file} tool={tool} />
        <FileField
          label="Resume"
          hint={`PDF or Word (.docx). Maximum file size: ${sizeHint('resume')}`}
          choice={resume}
        />
        <ScanLanguageOfFile file={file} choice={scanLanguage} />
        <TextAreaField
          label="Job description"
          required
          multiline
          placeholder="Paste the job description here"
          error={form.formState.errors.jobDescription?.message}
          {...form.register('jobDescription')}
        />
        {earlier !== undefined && (
          <Checkbox checked={isOther} onChange={({ target }) => setOther(target.checked)}>
            Start with different lines of my resume
          </Checkbox>
        )}
        <SubmitSection submission={submission} disabled={file === null || isBlank}>
          {submit}
        </SubmitSection>
      </form>
      {inOneRun?.({
        disabled: file === null || isBlank,
        readInput: () =>
          new Promise((resolve) => {
            void form.handleSubmit(
              (input) =>
                resolve({ input: { ...input, language: scanLanguage.language }, files: { resume: file! } }),
              () => resolve(null),
            )();
          }),
      })}
    </>
  );
}
