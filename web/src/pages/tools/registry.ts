import { lazy, type ComponentType } from 'react';
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
