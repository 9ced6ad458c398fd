import { FileNotice } from '../../../modules/submission/results/file-notice';
import { TextResultPane } from '../../../modules/submission/results/text-result-pane';
import { useToolRun } from '../../../modules/submission/results/use-tool-run';
import { ToolPage } from '../../../modules/submission/results/tool-page';
import { ResumeJobForm } from '../../../modules/submission/resume/resume-job-form';
import { letterSample, ownLinesSample } from './sample';

export default function CoverLetterPage() {
  const run = useToolRun('cover-letter');
  return (
    <ToolPage
      run={run}
      lead="A letter for one job, based only on your resume, with the source of each sentence."
      jobsTitle="Recent letters"
      form={
        <ResumeJobForm
          tool="cover-letter"
          label="Cover letter"
          submit="Write Cover Letter"
          onSubmitted={run.showAnother}
        />
      }
    >
      <TextResultPane
        run={run}
        title="Cover Letter"
        prompt="Add your resume and the job description to write a letter."
        sample={run.engine === 'offline' ? ownLinesSample : letterSample}
        copied="Letter copied without sources"
        copyFailed="Failed to copy"
        before={({ job }) => <FileNotice job={job} />}
      />
    </ToolPage>
  );
}
