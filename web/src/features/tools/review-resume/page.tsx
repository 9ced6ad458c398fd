import { ToolHeading } from '../../../shared/tools/tool-heading';
import { JobList } from '../../../shared/results/job-list';
import { TextResultPane } from '../../../shared/results/text-result-pane';
import { useToolRun } from '../../../shared/results/use-tool-run';
import { ToolPanes } from '../../../shared/results/tool-panes';
import { ResumeForm } from './resume-form';
import { checklistSample, reviewSample } from './sample';

export default function ReviewResumePage() {
  const run = useToolRun('resume-review');
  return (
    <>
      <ToolHeading
        tool="resume-review"
        lead="Choose your resume, and read section by section what to improve."
      />
      <ToolPanes
        form={<ResumeForm onSubmitted={(job) => run.show(job.id)} />}
        jobs={<JobList title="Recent reviews" run={run} />}
      >
        <TextResultPane
          run={run}
          title="Analysis Results"
          prompt="Choose your resume and choose Review Resume to read the review here."
          sample={run.engine === 'offline' ? checklistSample : reviewSample}
          copied="Copied to clipboard!"
          copyFailed="Failed to copy"
        />
      </ToolPanes>
    </>
  );
}
