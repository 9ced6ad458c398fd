import type { ToolName } from '#libs/tools/catalogue.js';
import { summaryOf } from './summary-of';
import { PageHeading } from '../ui/page-heading';
import { PremiumBadge } from '../ui/premium-badge';

/** Heading of a tool's page: the tool's label, and a badge if it requires the premium plan. */
export function ToolHeading({ tool, lead }: { tool: ToolName; lead: string }) {
  const { label, plan } = summaryOf(tool);
  return (
    <PageHeading badge={plan === 'premium' && <PremiumBadge />} lead={lead}>
      {label}
    </PageHeading>
  );
}
