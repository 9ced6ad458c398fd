import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { PremiumBadge } from '../../components/premium-badge';
import { useAccounts } from '../../session/accounts';
import { toolPages, type ToolPage } from '../tools/registry';
import { Section } from './section';

/** The nine tools as a table of contents. They lead somewhere only for who is signed in. */
export function ToolsIndex() {
  const { user } = useAccounts();
  return (
    <Section
      id="AiTools"
      title="Nine tools, one press"
      subtitle="Words, resumes, pictures and PDFs, each with the controls it needs and no more"
    >
      <ul className="grid grid-cols-1 gap-px overflow-hidden rounded-panel border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {toolPages.map((tool) => (
          <li key={tool.segment} className="bg-page">
            {user === null ? (
              <div className="h-full p-7">
                <Card tool={tool} />
              </div>
            ) : (
              <Link
                to={paths.tool(tool.segment)}
                className="block h-full p-7 transition-colors hover:bg-raised"
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

function Card({ tool: { title, description, premium, icon: Icon } }: { tool: ToolPage }) {
  return (
    <>
      <span className="flex items-center justify-between">
        <Icon aria-hidden="true" className="size-6" strokeWidth={1.5} />
        {premium && <PremiumBadge />}
      </span>
      <h3 className="mt-6 text-xl">{title}</h3>
      <p className="mt-2 text-[0.9375rem] text-quiet">{description}</p>
    </>
  );
}
