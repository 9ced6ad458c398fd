import { Eraser } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = {
  name: 'remove-image-background',
  order: 7,
  label: 'Remove Background',
  title: 'AI Background Eraser',
  description: 'Cuts the subject of a photo out of its background.',
  premium: true,
  icon: Eraser,
};
