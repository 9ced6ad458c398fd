import type { Creation } from '#libs/contract/creations.js';
import { useLoadedJob } from '../../../modules/runs/jobs/use-loaded-job';
import { Markdown } from '../../../shared/markdown/markdown';
import { AtsResults } from './ats-results';
import { compareReports } from './compare-reports';
import { readReport, type AtsReport } from './read-report';

/** Null once its job is gone, months later. */
function useReportOf({ jobId }: Creation): AtsReport | null {
  return readReport(useLoadedJob(jobId)?.job.result?.['content']);
}

/** A score from before, as its text where no more of it is left. */
export function EarlierScore({ earlier }: { earlier: Creation }) {
  const report = useReportOf(earlier);
  return report === null ? <Markdown text={earlier.content} /> : <AtsResults report={report} />;
}

/** What a changed resume, or another job, changes in points and skills. */
export function ScoreChange({ earlier, made }: { earlier: Creation; made: Creation }) {
  const [before, now] = [useReportOf(earlier), useReportOf(made)];
  if (before === null || now === null) return null;
  const isSameJob = earlier.settings?.['jobDescription'] === made.settings?.['jobDescription'];
  const { points, found, lost, onlyInOne } = compareReports(before, now);
  return (
    <section aria-labelledby="score-change" className="mb-8 grid gap-2">
      <h3 id="score-change" className="text-xl">
        {points === 0 ? `Unchanged: ${now.score} points` : `${before.score} → ${now.score} points`}
        {points !== 0 && (
          <span className="ml-3 text-base text-quiet">
            {points > 0 ? `${points} more` : `${-points} fewer`}
          </span>
        )}
      </h3>
      {isSameJob ? (
        <>
          <Names label="Newly found" names={found} />
          <Names label="No longer found" names={lost} />
          <Names label="Only in one of the two results" names={onlyInOne} />
          {found.length + lost.length + onlyInOne.length === 0 && (
            <p className="text-quiet">Both results have the same skills.</p>
          )}
        </>
      ) : (
        <p className="text-quiet">
          These results are for different job descriptions, so their skills are not compared.
        </p>
      )}
    </section>
  );
}

function Names({ label, names }: { label: string; names: readonly string[] }) {
  return names.length === 0 ? null : (
    <p className="wrap-anywhere">
      <span className="text-quiet">{label}:</span> {names.join(', ')}
    </p>
  );
}
