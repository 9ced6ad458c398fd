import type { RewriteAction, tones } from '#libs/tools/rewrite-text/contract.js';

/** What its user chose to do with a passage. */
export interface RewriteChoice {
  action: RewriteAction;
  tone?: (typeof tones)[number];
  language?: string;
  instruction?: string;
}

/** How each action is offered, and what a version is called that came of it. */
export const actionNames: Record<RewriteAction, { label: string; version: string }> = {
  shorter: { label: 'Shorter', version: 'Made shorter' },
  longer: { label: 'Longer', version: 'Made longer' },
  simpler: { label: 'Simpler words', version: 'Put in simpler words' },
  tone: { label: 'Another tone', version: 'Put in another tone' },
  fix: { label: 'Fix the language', version: 'Language fixed' },
  continue: { label: 'Continue', version: 'Continued' },
  translate: { label: 'Translate', version: 'Translated' },
  instruct: { label: 'Your own instruction', version: 'Rewritten as you asked' },
};

export const toneNames: Record<(typeof tones)[number], string> = {
  friendly: 'Friendly',
  formal: 'Formal',
  confident: 'Confident',
  'matter-of-fact': 'Matter-of-fact',
  lively: 'Lively',
};

export const languages = [
  'Arabic',
  'Chinese',
  'Dutch',
  'English',
  'French',
  'German',
  'Italian',
  'Japanese',
  'Polish',
  'Portuguese',
  'Spanish',
  'Turkish',
] as const;
