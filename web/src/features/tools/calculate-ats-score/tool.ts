import { Gauge } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = { name: 'calculate-ats-score', icon: Gauge };
