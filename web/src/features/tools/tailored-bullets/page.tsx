import { FileNotice } from '../../../modules/submission/results/file-notice';
import { TextResultPane } from '../../../modules/submission/results/text-result-pane';
import { useToolRun } from '../../../modules/submission/results/use-tool-run';
import { ToolPage } from '../../../modules/submission/results/tool-page';
import { ResumeJobForm } from '../../../modules/submission/resume/resume-job-form';
import { bulletsSample, chosenSample } from './sample';

export default function TailoredBulletsPage() {
  const run = useToolRun('tailored-bullets');
  return (
    <ToolPage
      run={run}
      lead="The lines of your resume that fit one job, each with its source."
      jobsTitle="Recent bullets"
      form={
        <ResumeJobForm
          tool="tailored-bullets"
          label="Tailored bullets"
          submit="Tailor Bullets"
          onSubmitted={run.showAnother}
        />
      }
    >
      <TextResultPane
        run={run}
        title="Tailored Bullets"
        prompt="Add your resume and the job description to get bullets that fit the job."
        sample={run.engine === 'offline' ? chosenSample : bulletsSample}
        copied="Bullets copied without sources"
        copyFailed="Failed to copy"
        before={({ job }) => <FileNotice job={job} />}
      />
    </ToolPage>
  );
}
