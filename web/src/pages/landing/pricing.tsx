import { Suspense } from 'react';
import { Notice } from '../../components/notice';
import { Loading } from '../../components/spinner';
import { useAccounts } from '../../session/accounts';
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
        <Suspense fallback={<Loading what="Loading the plans" />}>
          {status === 'loading' && <Loading what="Loading the plans" />}
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
