import { Check, CircleHelp, X } from 'lucide-react';
import type { Requirement } from '#libs/tools/calculate-ats-score/contract.js';

const kinds: Record<Requirement['kind'], string> = { experience: 'Experience', education: 'Education' };

/** Lists the job's requirements other than skills. They don't affect the score. */
export function Requirements({ requirements }: { requirements: readonly Requirement[] }) {
  return (
    <section>
      <h3 className="text-xl">Other Requirements</h3>
      <p className="mt-1 text-sm text-quiet">Not part of the score</p>
      <ul className="mt-4 border-t border-line text-[0.9375rem]">
        {requirements.map(({ kind, met, note, job, resume }, index) => (
          <li key={index} className="grid gap-1 border-b border-line py-3">
            <p className="flex flex-wrap items-center justify-between gap-x-4 font-semibold">
              {kinds[kind]}
              <RequirementStatus met={met} />
            </p>
            <p>{note}</p>
            <p className="text-sm wrap-anywhere text-quiet">Job description: “{job.quote}”</p>
            {resume !== null && (
              <p className="text-sm wrap-anywhere text-quiet">
                Resume, page {resume.page}: “{resume.quote}”
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function RequirementStatus({ met }: { met: boolean | null }) {
  const [Icon, label, color] =
    met === null
      ? ([CircleHelp, 'Unclear', 'text-quiet'] as const)
      : met
        ? ([Check, 'Met', 'text-success'] as const)
        : ([X, 'Not met', 'text-danger'] as const);
  return (
    <span className={`inline-flex items-center gap-1 text-sm font-medium ${color}`}>
      <Icon aria-hidden="true" className="size-4" />
      {label}
    </span>
  );
}
