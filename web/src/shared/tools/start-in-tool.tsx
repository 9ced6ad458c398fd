import { Link } from 'react-router-dom';
import type { ToolName } from '#libs/tools/catalogue.js';
import { paths } from '../paths';
import { useFindToolPage } from './tool-pages';
import { buttonClass } from '../ui/button';
import { CornerMarks } from '../ui/corner-marks';

/** Empty state of a list: says how to get a first entry and links to the tools that create one. */
export function StartInTool({ how, tools }: { how: string; tools: readonly ToolName[] }) {
  const findToolPage = useFindToolPage();
  return (
    <div className="panel relative grid justify-items-center gap-5 px-6 py-14 text-center">
      <CornerMarks />
      <p className="text-quiet">{how}</p>
      <div className="flex flex-wrap justify-center gap-3">
        {tools.map((name) => {
          const page = findToolPage(name);
          return (
            page && (
              <Link key={name} to={paths.tool(page.segment)} className={buttonClass('plain')}>
                {page.label}
              </Link>
            )
          );
        })}
      </div>
    </div>
  );
}
