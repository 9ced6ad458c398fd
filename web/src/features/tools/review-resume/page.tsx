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
      lead="Add your resume and see what to improve, section by section."
      jobsTitle="Recent reviews"
      form={<ResumeForm onSubmitted={run.showAnother} />}
    >
      <TextResultPane
        run={run}
        title="Analysis Results"
        prompt="Select your resume, then choose Review Resume."
        sample={run.engine === 'offline' ? checklistSample : reviewSample}
        copied="Copied to clipboard!"
        copyFailed="Failed to copy"
        before={({ job }) => <FileNotice job={job} />}
      />
    </ToolPage>
  );
}
