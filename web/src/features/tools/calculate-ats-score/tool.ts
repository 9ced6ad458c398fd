import { Gauge } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = {
  name: 'calculate-ats-score',
  order: 5,
  label: 'Calculate ATS Score',
  title: 'ATS Score Calculator',
  description: 'Measures a resume against a job description, skill by skill.',
  premium: false,
  icon: Gauge,
};
