import { TextField } from '../../../shared/ui/text-field';

/** Limits as typed; empty is unlimited. */
export interface Limits {
  monthlyJobs: string;
  monthlyCredits: string;
  ratePerMinute: string;
}

const fields = {
  monthlyJobs: 'Jobs a month',
  monthlyCredits: 'Credits a month',
  ratePerMinute: 'Requests a minute',
} satisfies Record<keyof Limits, string>;

/** @returns the limits as numbers, null where the field is empty */
export const readLimits = (limits: Limits): Record<keyof Limits, number | null> => ({
  monthlyJobs: readLimit(limits.monthlyJobs),
  monthlyCredits: readLimit(limits.monthlyCredits),
  ratePerMinute: readLimit(limits.ratePerMinute),
});

const readLimit = (text: string) => (text.trim() === '' ? null : Number(text));

export function LimitFields({ limits, onChange }: { limits: Limits; onChange: (limits: Limits) => void }) {
  return (
    <fieldset>
      <legend className="font-semibold">Limits</legend>
      <p className="mt-1 text-sm text-quiet">Leave a field empty for no limit but your plan’s.</p>
      <div className="mt-3 grid gap-3 sm:grid-cols-3">
        {Object.entries(fields).map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            inputMode="numeric"
            pattern="[0-9]*"
            autoComplete="off"
            value={limits[name as keyof Limits]}
            onChange={({ currentTarget }) =>
              onChange({ ...limits, [name]: currentTarget.value.replace(/\D/g, '').slice(0, 7) })
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
