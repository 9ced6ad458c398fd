import { Mail } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = { name: 'cover-letter', icon: Mail };
