import { Suspense } from 'react';
import { FREE_MONTHLY_CREDITS } from '#libs/contract/credits.js';
import { Notice } from '../../shared/ui/notice';
import { PlanSheets } from '../../shared/ui/plan-sheets';
import { Loading } from '../../shared/ui/spinner';
import { useAccounts } from '../../shared/session/accounts';
import { useToolPages } from '../../shared/tools/tool-pages';
import { Section } from './section';

/** The plans, as the provider of the accounts shows and sells them. */
export function Pricing() {
  const { status, trouble, PricingTable } = useAccounts();
  return (
    <Section
      id="Plan"
      title="Two plans, no small print"
      subtitle="Start free and stay free, or take the whole press."
      beside
    >
      <div className="grid min-h-[33rem] grid-cols-1 items-start">
        <Suspense fallback={<PlansToCome />}>
          {status === 'loading' && <PlansToCome />}
          {(status === 'ready' || (status === 'degraded' && trouble == null)) && <PricingTable />}
          {(status === 'error' || (status === 'degraded' && trouble != null)) && (
            <Notice tone="warning" title="The plans cannot be shown just now">
              {trouble?.text ??
                'Pressroom does not answer. This page tries again every few seconds and goes on by itself.'}
            </Notice>
          )}
        </Suspense>
      </div>
    </Section>
  );
}

/** The room of the plans, by the sheets that local accounts have: what stands below does not move when they come. */
function PlansToCome() {
  const tools = useToolPages().map(({ title, premium }) => ({
    title,
    plan: premium ? ('premium' as const) : ('free' as const),
  }));
  return (
    <div className="grid grid-cols-1 items-start *:col-start-1 *:row-start-1">
      <div aria-hidden="true" className="invisible grid">
        <PlanSheets monthlyCredits={FREE_MONTHLY_CREDITS} tools={tools} />
      </div>
      <Loading what="Loading the plans" />
    </div>
  );
}
