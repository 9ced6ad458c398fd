import { Scissors } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = {
  name: 'remove-image-object',
  order: 8,
  label: 'Remove Object',
  title: 'AI Object Eraser',
  description: 'Takes one thing out of a photo and fills in what was behind it.',
  premium: true,
  icon: Scissors,
};
