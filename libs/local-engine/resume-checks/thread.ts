import type { Resume } from '#libs/local-engine/resume/resume.js';
import { writeChecklist } from './checklist.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

export const checklist = ({ resume, now }: { resume: Resume; now: Date }): string[] =>
  writeChecklist(resume, now);
