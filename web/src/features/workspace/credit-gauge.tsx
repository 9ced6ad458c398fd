import type { Credits } from '#libs/contract/account.js';
import { formatDay } from '../../shared/lib/format';

/** The month's credits; nothing if they are unlimited. */
export function CreditGauge({ credits: { allowance, remaining, renewsAt } }: { credits: Credits }) {
  if (allowance === null || remaining === null) return null;
  return (
    <div
      className="mt-1"
      title={renewsAt === null ? undefined : `${allowance} new credits on ${formatDay(renewsAt)}`}
    >
      <div aria-hidden="true" className="flex h-2 justify-between">
        {Array.from({ length: allowance }, (_, index) => (
          <i
            key={index}
            className={`w-0.5 ${index < remaining ? 'bg-accent' : 'bg-[var(--tick)] opacity-60'}`}
          />
        ))}
      </div>
      <p className="mt-2 text-sm text-quiet">
        <span className="font-mono text-[0.8125rem] text-ink">{remaining}</span> of{' '}
        <span className="font-mono text-[0.8125rem]">{allowance}</span> credits left
      </p>
    </div>
  );
}
