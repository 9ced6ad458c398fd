import { Suspense } from 'react';
import { FREE_MONTHLY_CREDITS } from '#libs/contract/limits.js';
import { Notice } from '../../shared/ui/notice';
import { PlanCards } from '../../shared/ui/plan-cards';
import { Loading } from '../../shared/ui/spinner';
import { useAccounts } from '../../shared/account/accounts';
import { useToolPages } from '../../shared/tools/tool-pages';
import { Section } from './section';

export function Pricing() {
  const { status, error, PricingTable } = useAccounts();
  return (
    <Section
      id="Plan"
      title="Two plans, no small print"
      subtitle="Start free and stay free, or take the whole press."
      beside
    >
      <div className="grid min-h-[33rem] grid-cols-1 items-start">
        <Suspense fallback={<PlansPlaceholder />}>
          {status === 'loading' && <PlansPlaceholder />}
          {(status === 'ready' || (status === 'degraded' && error == null)) && <PricingTable />}
          {(status === 'error' || (status === 'degraded' && error != null)) && (
            <Notice tone="warning" title="The plans cannot be shown just now">
              {error?.text ??
                'Pressroom does not answer. This page tries again every few seconds and goes on by itself.'}
            </Notice>
          )}
        </Suspense>
      </div>
    </Section>
  );
}

/** Reserves the height of the plans, so that the layout does not shift when they load. */
function PlansPlaceholder() {
  const tools = useToolPages();
  return (
    <div className="grid grid-cols-1 items-start *:col-start-1 *:row-start-1">
      <div aria-hidden="true" className="invisible grid">
        <PlanCards monthlyCredits={FREE_MONTHLY_CREDITS} tools={tools} />
      </div>
      <Loading label="Loading the plans" />
    </div>
  );
}
