import { useState } from 'react';
import { Notice } from '../../../shared/ui/notice';
import type { AtsReport, Skill } from './read-report';
import { Requirements } from './requirements';
import { ScoreBar } from './score-bar';
import { scoreIfShown } from './score-if-shown';
import { SkillCard } from './skill-card';

/** Shows a report. @param report null if the result is invalid; then an error is shown */
export function AtsResults({ report }: { report: AtsReport | null }) {
  if (report === null) return <Notice tone="danger">Invalid results data. Please try again.</Notice>;
  return <Report report={report} />;
}

function Report({ report }: { report: AtsReport }) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { score, limits, skills, requirements, feedback, suggestions } = report;
  return (
    <div className="grid gap-10">
      {limits === null ? (
        <div className="grid gap-3">
          <ScoreBar score={score} />
          <TickedScore report={report} ticked={ticked} />
        </div>
      ) : (
        <Notice tone="warning" title="No reliable score">
          {limits}
        </Notice>
      )}
      {skills.length > 0 && (
        <section>
          <h3 className="text-xl">Skills Analysis</h3>
          <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-3">
            {skills.map((skill, index) => (
              <SkillCard
                key={index}
                skill={skill}
                gain={gainOf(report, skill)}
                ticked={ticked.has(skill.name)}
                onTick={() => setTicked((names) => toggled(names, skill.name))}
              />
            ))}
          </ul>
        </section>
      )}
      {requirements.length > 0 && <Requirements requirements={requirements} />}
      {feedback !== '' && limits === null && (
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

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const changed = new Set(names);
  if (!changed.delete(name)) changed.add(name);
  return changed;
}

/** Points that a missing skill would add; null if unknown. */
function gainOf(report: AtsReport, skill: Skill): number | null {
  if (skill.match || report.limits !== null) return null;
  const score = scoreIfShown(report, new Set([skill]));
  return score === null ? null : score - report.score;
}

/** The score with all ticked skills. Rounding may make it differ from the sum of their points by one. */
function TickedScore({ report, ticked }: { report: AtsReport; ticked: ReadonlySet<string> }) {
  const skills = report.skills.filter(({ name, match }) => !match && ticked.has(name));
  const score = scoreIfShown(report, new Set(skills));
  return (
    <p role="status" className="text-[0.9375rem] wrap-anywhere">
      {skills.length > 0 && score !== null && (
        <>
          With {skills.map(({ name }) => name).join(', ')}:{' '}
          <strong className="whitespace-nowrap">
            {score}/100 (+{score - report.score})
          </strong>
        </>
      )}
    </p>
  );
}
