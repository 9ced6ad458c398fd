import { Link } from 'react-router-dom';
import { paths } from '../../shared/paths';
import { PremiumBadge } from '../../shared/ui/premium-badge';
import { useAccounts } from '../../shared/account/accounts';
import { useToolPages, type ToolPage } from '../../shared/tools/tool-pages';
import { numberWord } from './number-word';
import { Section } from './section';

/** A card for each tool. Cards are links only for signed-in users. */
export function ToolsIndex() {
  const { user } = useAccounts();
  const toolPages = useToolPages();
  return (
    <Section
      id="AiTools"
      title={`${numberWord(toolPages.length)} tools, one press`}
      subtitle="For text, resumes, images and PDFs, each with just the controls it needs"
    >
      <ul className="grid gap-px overflow-hidden rounded-panel border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {toolPages.map((tool) => (
          <li key={tool.segment} className="bg-page">
            {user === null ? (
              <div className={cardClass}>
                <Card tool={tool} />
              </div>
            ) : (
              <Link
                to={paths.tool(tool.segment)}
                className={`block ${cardClass} transition-colors hover:bg-raised`}
              >
                <Card tool={tool} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const cardClass = 'h-full px-5 py-6 sm:p-7';

function Card({ tool: { title, tagline, plan, icon: Icon } }: { tool: ToolPage }) {
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-4 sm:grid-cols-[1fr_auto]">
      <Icon aria-hidden="true" className="size-6" strokeWidth={1.5} />
      <h3 className="text-xl sm:col-span-2 sm:row-start-2 sm:mt-6">{title}</h3>
      {plan === 'premium' && (
        <span className="max-sm:mt-0.5 sm:col-start-2 sm:row-start-1">
          <PremiumBadge />
        </span>
      )}
      <p className="col-span-2 col-start-2 mt-1.5 text-[0.9375rem] text-quiet sm:col-start-1 sm:mt-2">
        {tagline}
      </p>
    </div>
  );
}
