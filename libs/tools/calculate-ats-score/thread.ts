import { findOriginalText, type OriginalText } from '#libs/local-engine/resume-match/original-text.js';
import type { Extraction } from './prompt.js';
import { verifyExtraction } from './verify.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

export const original = ({ pages, jobDescription }: { pages: string[]; jobDescription: string }) =>
  findOriginalText(pages, jobDescription);

export const verify = ({
  extraction,
  own,
  jobDescription,
}: {
  extraction: Extraction;
  own: OriginalText;
  jobDescription: string;
}) => verifyExtraction(extraction, own, jobDescription);
