import { useLocation } from 'react-router-dom';
import { z } from 'zod';
import { useCreation } from '../../../modules/creations/api/creation-pages';
import { ResultActions } from '../../../modules/creations/creation-actions';
import { FlowOffer } from '../../../modules/runs/flows/flow-offer';
import { CopyButton } from '../../../shared/ui/copy-button';
import { ExportAction } from '../../../modules/text-editor/export/export-action';
import { FileNotice } from '../../../modules/submission/results/file-notice';
import { RunComparison } from '../../../modules/submission/results/run-comparison';
import { creationIdOf, ResultPane } from '../../../modules/submission/results/result-pane';
import { useToolRun } from '../../../modules/submission/results/use-tool-run';
import { ResumeJobForm } from '../../../modules/submission/resume/resume-job-form';
import { ToolPage } from '../../../modules/submission/results/tool-page';
import type { JobView } from '../../../modules/runs/state/job-store';
import { EarlierScore, ScoreChange } from './score-change';
import { AtsResults } from './ats-results';
import { readReport, reportMarkdown, reportText } from './read-report';
import sample from './sample.json' with { type: 'json' };

const flowLinkSchema = z.object({ inOneRun: z.literal(true) });

const reportOf = ({ job }: JobView) => readReport(job.result?.['content']);

export default function CalculateAtsScorePage() {
  const run = useToolRun('calculate-ats-score');
  const job = run.view?.job;
  const creationId = job?.status === 'succeeded' ? creationIdOf(job) : null;
  const creation = useCreation(creationId).data;
  const opensFlow = flowLinkSchema.safeParse(useLocation().state).success;
  return (
    <ToolPage
      run={run}
      lead="Compare your resume with a job description, skill by skill, with quotes from both."
      jobsTitle="Recent scores"
      form={
        <ResumeJobForm
          tool="calculate-ats-score"
          label="ATS score"
          submit="Calculate ATS Score"
          onSubmitted={run.showAnother}
          inOneRun={(form) => <FlowOffer flow="application" isOpen={opensFlow} {...form} />}
        />
      }
    >
      <ResultPane
        run={run}
        title="ATS Results"
        prompt="Upload your resume and job description to calculate your ATS compatibility score"
        sample={<AtsResults report={readReport(sample)} />}
        actions={(view) => {
          const report = reportOf(view);
          return (
            report !== null && (
              <>
                <CopyButton text={reportText(report)} copied="Copied to clipboard!" failed="Failed to copy" />
                <ExportAction text={reportMarkdown(report)} title={view.job.title} />
                <ResultActions id={creationId} onStarted={run.showAnother} />
              </>
            )
          );
        }}
      >
        {(view) => (
          <>
            <FileNotice job={view.job} />
            <RunComparison
              run={run}
              newResult={creation}
              showEarlier={(earlier) => <EarlierScore earlier={earlier} />}
              showChange={(earlier, later) => <ScoreChange earlier={earlier} later={later} />}
            >
              {view.job.status === 'succeeded' && <AtsResults report={reportOf(view)} />}
            </RunComparison>
          </>
        )}
      </ResultPane>
    </ToolPage>
  );
}
