import { WandSparkles } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = { name: 'rewrite-text', icon: WandSparkles };
