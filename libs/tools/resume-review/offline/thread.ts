import type { Resume } from '#libs/resume/resume.js';
import { writeChecklist } from './checklist.js';

// What text threads run (see text-threads.ts).

export const checklist = ({ resume, now }: { resume: Resume; now: Date }): string[] =>
  writeChecklist(resume, now);
