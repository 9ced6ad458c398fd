import { Image } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = { name: 'generate-image', icon: Image };
