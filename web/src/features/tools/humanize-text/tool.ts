import { Feather } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = {
  name: 'humanize-text',
  order: 3,
  label: 'Humanize Text',
  title: 'Text Humanizer',
  description: 'Turns stiff text into sentences that a person would write.',
  premium: false,
  icon: Feather,
};
