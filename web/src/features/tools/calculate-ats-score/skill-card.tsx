import { Check, X } from 'lucide-react';
import type { Skill } from './read-report';

const importance: Record<NonNullable<Skill['asked']>['importance'], string> = {
  required: 'Required',
  mentioned: 'Mentioned',
  preferred: 'Nice to have',
  term: 'A word of the job',
};

/** A skill of the job description, whether the resume shows it, and the words that say so on both sides. */
export function SkillCard({ skill: { name, match, feedback, asked, shown } }: { skill: Skill }) {
  return (
    <li className="grid content-start gap-3 rounded-control border border-line bg-page p-4 text-[0.9375rem]">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h4 className="font-semibold wrap-anywhere">{name}</h4>
          {asked !== null && <p className="text-sm text-quiet">{importance[asked.importance]}</p>}
        </div>
        <MatchBadge match={match} />
      </div>
      {feedback !== '' && <p>{feedback}</p>}
      {asked !== null && (
        <dl className="grid gap-2 border-t border-line pt-3 text-sm">
          <Quote source="Job description" quote={asked.quote} />
          {shown !== null && <Quote source={`Resume, page ${shown.page}`} quote={shown.quote} />}
        </dl>
      )}
    </li>
  );
}

function MatchBadge({ match }: { match: boolean }) {
  const Icon = match ? Check : X;
  return (
    <span
      className={`inline-flex shrink-0 items-center gap-1 rounded border border-current px-1.5 py-0.5 font-mono text-xs font-semibold ${match ? 'text-success' : 'text-danger'}`}
    >
      <Icon aria-hidden="true" className="size-3.5" />
      {match ? 'MATCH' : 'MISSING'}
    </span>
  );
}

function Quote({ source, quote }: { source: string; quote: string }) {
  return (
    <div>
      <dt className="text-quiet">{source}</dt>
      <dd className="line-clamp-4 wrap-anywhere" title={quote}>
        “{quote}”
      </dd>
    </div>
  );
}
