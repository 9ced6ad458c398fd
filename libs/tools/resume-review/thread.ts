import type { Resume } from '#libs/local-engine/resume/resume.js';
import { createReviewGuard, type RejectedLine, type ReviewGuard } from './fact-guard.js';
import { createResumeFacts } from '../shared/resume-facts.js';
import { withoutRemark } from '../shared/without-remarks.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

/** A model's review so far. Any thread can run the next task: a thread without this review's guard rebuilds the guard. */
export interface ReviewSoFar {
  id: string;
  resume: Resume;
  written: string;
}

interface Reading {
  id: string;
  guard: ReviewGuard;
  written: string;
  shown: string;
}

/** Guards of the latest reviews; the oldest is dropped first. */
const readings: Reading[] = [];
const MOST_READINGS = 4;

/** Checks an unfinished review. @returns all checked text so far */
export const read = (soFar: ReviewSoFar): string => readingOf(soFar).shown;

/** Checks a whole review. @returns the checked text, and the lines that the resume does not support */
export function end(whole: ReviewSoFar): { shown: string; rejectedLines: RejectedLine[] } {
  const { guard, shown } = readingOf(whole);
  return { shown: shown + guard.end(), rejectedLines: [...guard.rejectedLines] };
}

/** The whole review. @param whole `repairs` replace the rejected lines in order */
export function review({ repairs, ...whole }: ReviewSoFar & { repairs: string[] }): string {
  const { guard } = readingOf(whole);
  guard.end();
  return `${withoutRemark(guard.review(repairs).trim())}\n`;
}

function readingOf({ id, resume, written }: ReviewSoFar): Reading {
  let reading = readings.find((one) => one.id === id);
  if (!reading) {
    reading = { id, guard: createReviewGuard(createResumeFacts(resume)), written: '', shown: '' };
    readings.push(reading);
    if (readings.length > MOST_READINGS) readings.shift();
  }
  reading.shown += reading.guard.add(written.slice(reading.written.length));
  reading.written = written;
  return reading;
}
