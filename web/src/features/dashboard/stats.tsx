import type { Plan } from '#libs/contract/account.js';

interface StatsProps {
  creations: number;
  pdfChats: number;
  plan: Plan;
}

/** Shows the user's totals. PDF chats count as creations too. */
export function Stats({ creations, pdfChats, plan }: StatsProps) {
  const cards = [
    { label: 'Total Creations', value: String(creations + pdfChats) },
    { label: 'PDF Chats', value: String(pdfChats) },
    { label: 'Active Plan', value: plan === 'premium' ? 'Premium' : 'Free', gold: plan === 'premium' },
  ];
  return (
    <dl className="grid gap-px overflow-hidden rounded-panel border border-line bg-line sm:grid-cols-3">
      {cards.map(({ label, value, gold }) => (
        <div
          key={label}
          className="flex items-baseline justify-between gap-4 bg-raised px-5 py-3.5 sm:flex-col-reverse sm:items-start sm:justify-end sm:gap-2 sm:px-6 sm:py-6 xl:px-8 xl:py-7"
        >
          <dt className="text-sm text-quiet">{label}</dt>
          <dd className={`display text-2xl sm:text-3xl xl:text-5xl ${gold ? 'text-premium' : ''}`}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
