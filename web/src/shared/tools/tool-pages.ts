import { createContext, use } from 'react';
import type { LucideIcon } from 'lucide-react';
import type { Job } from '#libs/contract/jobs.js';
import { COMPARE_PARAMETER, paths } from '../paths';
import type { ToolSummary } from './summary-of';

/** A tool's icon, its address and the texts of its contract. */
export interface ToolPage extends ToolSummary {
  icon: LucideIcon;
  /** The last segment of the page's path, which is the name of its folder. */
  segment: string;
}

/** Every tool with a page, in the order of the sidebar. The app provides it. */
export const ToolPagesContext = createContext<readonly ToolPage[]>([]);

export const useToolPages = (): readonly ToolPage[] => use(ToolPagesContext);

/** Finds the page of a tool; undefined for a tool that this build does not know. */
export function useFindToolPage(): (tool: string) => ToolPage | undefined {
  const pages = useToolPages();
  return (tool) => pages.find(({ name }) => name === tool);
}

/** @returns the path of a job, optionally with an earlier creation to compare its result with */
export function useJobPath(): (job: Pick<Job, 'tool' | 'id'>, earlierId?: string) => string {
  const findToolPage = useFindToolPage();
  return ({ tool, id }, earlierId) => {
    const page = findToolPage(tool);
    const other = earlierId === undefined ? '' : `&${COMPARE_PARAMETER}=${earlierId}`;
    return page === undefined ? paths.dashboard : `${paths.tool(page.segment)}?job=${id}${other}`;
  };
}
