import { ListChecks } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = { name: 'tailored-bullets', icon: ListChecks };
