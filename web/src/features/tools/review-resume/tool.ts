import { FileText } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = {
  name: 'resume-review',
  order: 4,
  label: 'Review Resume',
  title: 'Resume Reviewer',
  description: 'Reads your resume as a recruiter does, and says what to change.',
  premium: false,
  icon: FileText,
};
