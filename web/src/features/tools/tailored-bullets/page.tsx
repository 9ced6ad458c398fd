import { ResumeJobForm } from '../../../modules/submission/resume/resume-job-form';
import { TextToolPage } from '../../../modules/submission/results/text-tool-page';
import bulletsSample from './bullets-sample.md?raw';
import chosenSample from './chosen-lines-sample.md?raw';
import { WordResume } from './word-resume';

export default function TailoredBulletsPage() {
  return (
    <TextToolPage
      tool="tailored-bullets"
      lead="The lines of your resume that fit one job, each with its source."
      jobsTitle="Recent bullets"
      form={({ showAnother }) => (
        <ResumeJobForm
          tool="tailored-bullets"
          label="Tailored bullets"
          submit="Tailor Bullets"
          onSubmitted={showAnother}
        />
      )}
      title="Tailored Bullets"
      prompt="Add your resume and the job description to get bullets that fit the job."
      sample={bulletsSample}
      offlineSample={chosenSample}
      copied="Bullets copied without sources"
      below={({ job, text }) => <WordResume key={job.id} job={job} text={text} />}
    />
  );
}
