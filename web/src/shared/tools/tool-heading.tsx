import type { ToolName } from '#libs/tools/catalogue.js';
import { summaryOf } from './summary-of';
import { PageHeading } from '../ui/page-heading';
import { PremiumBadge } from '../ui/premium-badge';

/** The heading of a tool's page: the label of its contract, and a badge for a premium tool. */
export function ToolHeading({ tool, lead }: { tool: ToolName; lead: string }) {
  const { label, plan } = summaryOf(tool);
  return (
    <PageHeading badge={plan === 'premium' && <PremiumBadge />} lead={lead}>
      {label}
    </PageHeading>
  );
}
