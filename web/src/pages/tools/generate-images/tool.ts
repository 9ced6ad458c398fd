import { Image } from 'lucide-react';
import type { ToolEntry } from '../tool-entry';

export const tool: ToolEntry = {
  order: 6,
  label: 'Generate Images',
  title: 'AI Art Generator',
  description: 'Pictures from a description, in eight styles.',
  premium: true,
  icon: Image,
};
