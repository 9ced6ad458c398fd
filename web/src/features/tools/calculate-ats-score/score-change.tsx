import type { Creation } from '#libs/contract/creations.js';
import { useLoadedJob } from '../../../modules/runs/jobs/job-calls';
import { Markdown } from '../../../shared/markdown/markdown';
import { AtsResults } from './ats-results';
import { compareReports } from './compare-reports';
import { readReport, type AtsReport } from './read-report';

/** Report of a creation's job; null while loading, or if the job was deleted, which happens after some months. */
function useReportOf({ jobId }: Creation): AtsReport | null {
  return readReport(useLoadedJob(jobId)?.job.result?.['content']);
}

/** Shows an earlier report, or only the creation's text if the job with the report was deleted. */
export function EarlierScore({ earlier }: { earlier: Creation }) {
  const report = useReportOf(earlier);
  return report === null ? <Markdown text={earlier.content} /> : <AtsResults report={report} />;
}

/** Shows the difference between two reports in points and skills. Renders nothing if a report is missing or has no reliable score. */
export function ScoreChange({ earlier, later }: { earlier: Creation; later: Creation }) {
  const [before, now] = [useReportOf(earlier), useReportOf(later)];
  if (before === null || now === null || before.limits !== null || now.limits !== null) return null;
  const isSameJob = earlier.settings?.['jobDescription'] === later.settings?.['jobDescription'];
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
