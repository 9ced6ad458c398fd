import { Check, X } from 'lucide-react';
import { Checkbox } from '../../../shared/ui/checkbox';
import type { Skill } from './read-report';

const importanceLabels: Record<NonNullable<Skill['requirement']>['importance'], string> = {
  required: 'Required',
  mentioned: 'Mentioned',
  preferred: 'Nice to have',
  term: 'Keyword',
};

interface SkillCardProps {
  skill: Skill;
  /** Points that the skill would add to the score; null for a matched skill, or if unknown. */
  gain: number | null;
  ticked: boolean;
  onTick: () => void;
}

export function SkillCard({ skill, gain, ticked, onTick }: SkillCardProps) {
  const { name, match, feedback, requirement, evidence } = skill;
  return (
    <li className="grid content-start gap-3 rounded-control border border-line bg-page p-4 text-[0.9375rem]">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h4 className="font-semibold wrap-anywhere">{name}</h4>
          {requirement !== null && (
            <p className="text-sm text-quiet">{importanceLabels[requirement.importance]}</p>
          )}
        </div>
        <MatchBadge match={match} />
      </div>
      {feedback !== '' && <p>{feedback}</p>}
      {requirement !== null && (
        <dl className="grid gap-2 border-t border-line pt-3 text-sm">
          <Quote source="Job description" quote={requirement.quote} />
          {evidence !== null && <Quote source={`Resume, page ${evidence.page}`} quote={evidence.quote} />}
        </dl>
      )}
      {gain !== null && (
        <Checkbox checked={ticked} onChange={onTick} aria-label={`I can show ${name}: ${points(gain)} more`}>
          I can show it: <strong className="whitespace-nowrap">+{gain}</strong>
        </Checkbox>
      )}
    </li>
  );
}

const points = (count: number) => `${count} ${count === 1 ? 'point' : 'points'}`;

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
