import { createContext, use } from 'react';
import type { LucideIcon } from 'lucide-react';
import type { Job } from '#libs/contract/jobs.js';
import { COMPARE_PARAMETER, paths } from '../paths';
import { findSummary, type ToolSummary } from './summary-of';

/** A tool's summary with the icon and path of its page. */
export interface ToolPage extends ToolSummary {
  icon: LucideIcon;
  /** Last segment of the page's path, which is also the name of its folder in features/tools. */
  segment: string;
}

/** All tools with a page, in the order of the sidebar. Provided by the app. */
export const ToolPagesContext = createContext<readonly ToolPage[]>([]);

export const useToolPages = (): readonly ToolPage[] => use(ToolPagesContext);

/** Returns a function that finds the page on which a tool is offered; undefined for a tool of a newer or older server version. */
export function useFindToolPage(): (tool: string) => ToolPage | undefined {
  const pages = useToolPages();
  return (tool) => {
    const page = findSummary(tool)?.partOf ?? tool;
    return pages.find(({ name }) => name === page);
  };
}

type LinkedJob = Pick<Job, 'tool' | 'id' | 'notebookId' | 'result'>;

/** Returns a function that gives the path of a job. With `earlierId`, the page compares the result with that creation. */
export function useJobPath(): (job: LinkedJob, earlierId?: string) => string {
  const findToolPage = useFindToolPage();
  return ({ tool, id, notebookId, result }, earlierId) => {
    const page = findToolPage(tool);
    const creationId = result?.['creationId'];
    if (tool === 'notes-to-text' && typeof creationId === 'string') return paths.creation(creationId);
    if (notebookId !== undefined && page?.name === 'ask-notebook')
      return `${paths.notebook(notebookId)}${tool === 'ask-notebook' ? `?job=${id}` : ''}`;
    const other = earlierId === undefined ? '' : `&${COMPARE_PARAMETER}=${earlierId}`;
    return page === undefined ? paths.dashboard : `${paths.tool(page.segment)}?job=${id}${other}`;
  };
}
