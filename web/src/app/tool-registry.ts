import { lazy, type ComponentType } from 'react';
import type { ToolEntry } from '../shared/tools/tool-entry';
import type { ToolPage } from '../shared/tools/tool-pages';
import { findSummary } from '../shared/tools/summary-of';

const entries = import.meta.glob<ToolEntry>('../features/tools/*/tool.ts', { eager: true, import: 'tool' });
const pages = import.meta.glob<ComponentType>('../features/tools/*/page.tsx', { import: 'default' });

interface RegisteredTool extends ToolPage {
  Page: ComponentType;
}

/** Every folder of features/tools, in the order of the sidebar. */
export const registeredTools: readonly RegisteredTool[] = Object.entries(entries)
  .map(([file, entry]) => {
    const folder = file.slice(0, -'/tool.ts'.length);
    const load = pages[`${folder}/page.tsx`];
    if (load === undefined) throw new Error(`${folder} has no page.tsx.`);
    const summary = findSummary(entry.name);
    if (summary === undefined) throw new Error(`${folder} names no tool of the catalogue.`);
    return {
      ...summary,
      ...entry,
      segment: folder.slice(folder.lastIndexOf('/') + 1),
      Page: lazy(async () => ({ default: await load() })),
    };
  })
  .sort((one, other) => one.order - other.order);
