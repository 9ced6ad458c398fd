import { Image } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = {
  name: 'generate-image',
  order: 6,
  label: 'Generate Images',
  title: 'AI Art Generator',
  description: 'Pictures from a description, in eight styles.',
  premium: true,
  icon: Image,
};
