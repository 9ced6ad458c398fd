import type { RewriteAction, tones } from '#libs/tools/rewrite-text/contract.js';

export interface RewriteChoice {
  action: RewriteAction;
  tone?: (typeof tones)[number];
  language?: string;
  instruction?: string;
}

/** For each action: its label in the menu, and the label of the version that it creates. */
export const actionNames: Record<RewriteAction, { label: string; version: string }> = {
  shorter: { label: 'Make shorter', version: 'Shortened' },
  longer: { label: 'Make longer', version: 'Lengthened' },
  simpler: { label: 'Simplify', version: 'Simplified' },
  tone: { label: 'Change tone', version: 'Tone changed' },
  fix: { label: 'Fix spelling and grammar', version: 'Spelling and grammar fixed' },
  continue: { label: 'Continue', version: 'Continued' },
  translate: { label: 'Translate', version: 'Translated' },
  instruct: { label: 'Custom instruction', version: 'Rewritten' },
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
