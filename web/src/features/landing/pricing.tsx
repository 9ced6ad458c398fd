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
      subtitle="Start for free. Upgrade when you need more."
      headingLeft
    >
      <div className="grid min-h-[33rem] grid-cols-1 items-start">
        <Suspense fallback={<PlansPlaceholder />}>
          {status === 'loading' && <PlansPlaceholder />}
          {(status === 'ready' || (status === 'degraded' && error == null)) && <PricingTable />}
          {(status === 'error' || (status === 'degraded' && error != null)) && (
            <Notice tone="warning" title="Plans could not be loaded">
              {error?.text ?? 'Pressroom cannot be reached. This page retries every few seconds.'}
            </Notice>
          )}
        </Suspense>
      </div>
    </Section>
  );
}

/** Reserves the height of the plans while they load, to avoid a layout shift. */
function PlansPlaceholder() {
  const tools = useToolPages();
  return (
    <div className="grid items-start *:col-start-1 *:row-start-1">
      <div aria-hidden="true" className="invisible grid">
        <PlanCards price={undefined} monthlyCredits={FREE_MONTHLY_CREDITS} tools={tools} />
      </div>
      <Loading label="Loading the plans" />
    </div>
  );
}
