import { PenLine } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Creation } from '#libs/contract/creations.js';
import { paths } from '../../shared/paths';
import { useFindToolPage } from '../../shared/tools/tool-pages';
import { buttonClass } from '../../shared/ui/button';
import { Menu, MenuItem } from '../../shared/ui/menu';
import { nextStepsOf, titlesOf } from './next-steps';

/** Links to tools that take a creation as input. Each link fills in the tool's form. Renders nothing if there are none. */
export function NextStepsNav({ creation }: { creation: Creation }) {
  const findToolPage = useFindToolPage();
  const article = findToolPage('generate-article');
  const titles = creation.type === 'blog-title' ? titlesOf(creation.content) : [];
  const steps = nextStepsOf(creation).flatMap((step) => {
    const page = findToolPage(step.tool);
    return page === undefined ? [] : { ...step, page };
  });
  if (steps.length === 0 && titles.length === 0) return null;
  return (
    <nav aria-label="Next steps" className="mt-10 border-t border-line pt-5">
      <p className="mb-3 text-sm text-quiet">Next steps, with the form filled in.</p>
      <ul className="flex flex-wrap gap-2">
        {steps.map(({ label, state, page: { name, segment, icon: Icon } }) => (
          <li key={name}>
            <Link to={paths.tool(segment)} state={state} className={buttonClass('plain', 'small')}>
              <Icon aria-hidden="true" className="size-4" />
              {label}
            </Link>
          </li>
        ))}
        {article !== undefined && titles.length > 0 && (
          <li>
            <Menu label="Write the article" icon={PenLine}>
              {titles.map((title) => (
                <MenuItem key={title} asChild>
                  <Link to={paths.tool(article.segment)} state={{ fill: { prompt: title } }}>
                    {title}
                  </Link>
                </MenuItem>
              ))}
            </Menu>
          </li>
        )}
      </ul>
    </nav>
  );
}
