import { FileNotice } from '../../../modules/submission/results/file-notice';
import { TextResultPane } from '../../../modules/submission/results/text-result-pane';
import { useToolRun } from '../../../modules/submission/results/use-tool-run';
import { ToolPage } from '../../../modules/submission/results/tool-page';
import { ResumeForm } from './resume-form';
import { checklistSample, reviewSample } from './sample';

export default function ReviewResumePage() {
  const run = useToolRun('resume-review');
  return (
    <ToolPage
      run={run}
      lead="Choose your resume, and read section by section what to improve."
      jobsTitle="Recent reviews"
      form={<ResumeForm onSubmitted={run.showAnother} />}
    >
      <TextResultPane
        run={run}
        title="Analysis Results"
        prompt="Choose your resume and choose Review Resume to read the review here."
        sample={run.engine === 'offline' ? checklistSample : reviewSample}
        copied="Copied to clipboard!"
        copyFailed="Failed to copy"
        before={({ job }) => <FileNotice job={job} />}
      />
    </ToolPage>
  );
}
