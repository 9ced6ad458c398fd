import { Heading } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = {
  name: 'generate-blog-title',
  order: 2,
  label: 'Title Generator',
  title: 'Title Suggester',
  description: 'At least ten titles for a keyword, in the voice of your field.',
  premium: false,
  icon: Heading,
};
