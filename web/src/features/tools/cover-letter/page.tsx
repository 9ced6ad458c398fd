import { ResumeJobForm } from '../../../modules/submission/resume/resume-job-form';
import { TextToolPage } from '../../../modules/submission/results/text-tool-page';
import letterSample from './letter-sample.md?raw';
import ownLinesSample from './resume-lines-sample.md?raw';

export default function CoverLetterPage() {
  return (
    <TextToolPage
      tool="cover-letter"
      lead="A letter for one job, based only on your resume, with the source of each sentence."
      jobsTitle="Recent letters"
      form={({ showAnother }) => (
        <ResumeJobForm
          tool="cover-letter"
          label="Cover letter"
          submit="Write Cover Letter"
          onSubmitted={showAnother}
        />
      )}
      title="Cover Letter"
      prompt="Add your resume and the job description to write a letter."
      sample={letterSample}
      offlineSample={ownLinesSample}
      copied="Letter copied without sources"
    />
  );
}
