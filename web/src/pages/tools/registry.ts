import { lazy, type ComponentType } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import { paths } from '../../app/paths';
import type { ToolEntry } from './tool-entry';

const entries = import.meta.glob<ToolEntry>('./*/tool.ts', { eager: true, import: 'tool' });
const pages = import.meta.glob<ComponentType>('./*/page.tsx', { import: 'default' });

export interface ToolPage extends ToolEntry {
  /** The last part of its address, which is the name of its folder. */
  segment: string;
  /** Null while the tool is not there yet. */
  Page: ComponentType | null;
}

/** Every tool of the client, in the order of the sidebar. A folder beside this file is all that a tool needs. */
export const toolPages: readonly ToolPage[] = Object.entries(entries)
  .map(([file, entry]) => {
    const segment = file.split('/')[1] ?? '';
    const load = pages[`./${segment}/page.tsx`];
    return {
      ...entry,
      segment,
      Page: load === undefined ? null : lazy(async () => ({ default: await load() })),
    };
  })
  .sort((one, other) => one.order - other.order);

/** The page of the tool that a job is of; undefined for a tool that this build does not know. */
export const pageOf = (tool: string): ToolPage | undefined => toolPages.find(({ name }) => name === tool);

/** Where a job and what came of it are shown. */
export function jobPath({ tool, id }: Pick<Job, 'tool' | 'id'>): string {
  const page = pageOf(tool);
  return page === undefined ? paths.dashboard : `${paths.tool(page.segment)}?job=${id}`;
}
