import { Notice } from '../../../shared/ui/notice';
import type { AtsReport } from './read-report';
import { Requirements } from './requirements';
import { ScoreBar } from './score-bar';
import { SkillCard } from './skill-card';

/** Shows a report. @param report null if the result is invalid; then an error is shown */
export function AtsResults({ report }: { report: AtsReport | null }) {
  if (report === null) return <Notice tone="danger">Invalid results data. Please try again.</Notice>;
  const { score, skills, requirements, feedback, suggestions } = report;
  return (
    <div className="grid gap-10">
      <ScoreBar score={score} />
      {skills.length > 0 && (
        <section>
          <h3 className="text-xl">Skills Analysis</h3>
          <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-3">
            {skills.map((skill, index) => (
              <SkillCard key={index} skill={skill} />
            ))}
          </ul>
        </section>
      )}
      {requirements.length > 0 && <Requirements requirements={requirements} />}
      {feedback !== '' && (
        <section className="max-w-[72ch]">
          <h3 className="text-xl">Summary Feedback</h3>
          <p className="mt-3 text-[1.0625rem] whitespace-pre-line">{feedback}</p>
        </section>
      )}
      {suggestions.length > 0 && (
        <section className="max-w-[72ch]">
          <h3 className="text-xl">Improvement Suggestions</h3>
          <ul className="mt-3 grid list-disc gap-2 pl-5 marker:text-quiet">
            {suggestions.map((suggestion, index) => (
              <li key={index}>{suggestion}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
