import { lazy, type ComponentType } from 'react';
import {
  Eraser,
  Feather,
  FileText,
  Gauge,
  Heading,
  Image,
  ListChecks,
  Mail,
  MessagesSquare,
  NotebookText,
  PenLine,
  Scissors,
  WandSparkles,
  type LucideIcon,
} from 'lucide-react';
import type { ToolName } from '#libs/tools/catalogue.js';
import type { ToolPage } from '../shared/tools/tool-pages';
import { toolSummaries } from '../shared/tools/tool-summaries';

/** For each tool with a page: the name of its folder in features/tools, which is also the last segment of its URL path, and its icon. */
const entries: Partial<Record<ToolName, { segment: string; icon: LucideIcon }>> = {
  'generate-article': { segment: 'write-article', icon: PenLine },
  'generate-blog-title': { segment: 'blog-titles', icon: Heading },
  'humanize-text': { segment: 'humanize-text', icon: Feather },
  'rewrite-text': { segment: 'rewrite-text', icon: WandSparkles },
  'resume-review': { segment: 'review-resume', icon: FileText },
  'calculate-ats-score': { segment: 'calculate-ats-score', icon: Gauge },
  'tailored-bullets': { segment: 'tailored-bullets', icon: ListChecks },
  'cover-letter': { segment: 'cover-letter', icon: Mail },
  'generate-image': { segment: 'generate-images', icon: Image },
  'remove-image-background': { segment: 'remove-background', icon: Eraser },
  'remove-image-object': { segment: 'remove-object', icon: Scissors },
  'ask-notebook': { segment: 'notebooks', icon: NotebookText },
  'chat-with-pdf': { segment: 'chat-with-pdf', icon: MessagesSquare },
};

const pages = import.meta.glob<ComponentType>('../features/tools/*/page.tsx', { import: 'default' });

interface RegisteredTool extends ToolPage {
  Page: ComponentType;
}

/** All tools that have a page, in the order of the sidebar. */
export const registeredTools: readonly RegisteredTool[] = toolSummaries
  .filter(({ partOf }) => partOf === undefined)
  .map((summary) => {
    const entry = entries[summary.name];
    if (entry === undefined) throw new Error(`The tool ${summary.name} has no page and icon.`);
    const load = pages[`../features/tools/${entry.segment}/page.tsx`];
    if (load === undefined) throw new Error(`features/tools/${entry.segment} has no page.tsx.`);
    return { ...summary, ...entry, Page: lazy(async () => ({ default: await load() })) };
  })
  .sort((one, other) => one.order - other.order);
