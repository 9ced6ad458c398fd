import { PenLine } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = {
  name: 'generate-article',
  order: 1,
  label: 'Write Article',
  title: 'AI Content Generator',
  description: 'Articles on any topic, at the length you choose, written while you watch.',
  premium: false,
  icon: PenLine,
};
