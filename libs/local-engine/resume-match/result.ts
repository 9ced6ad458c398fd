import type { Comparison, ComparedSkill } from './comparison.js';
import {
  importances,
  scoreOf,
  type AtsResult,
  type SkillResult,
} from '#libs/tools/calculate-ats-score/contract.js';
import type { OriginalText } from './original-text.js';

const MAX_SUGGESTIONS = 10;
const MAX_MISSING = 6;

export function resultOf(comparison: Comparison, own: OriginalText): AtsResult {
  const skills = comparison.skills.toSorted(byImportance);
  const breakdown = Object.fromEntries(skills.map((skill) => [keyOf(skill.name), entryOf(skill)]));
  const score = scoreOf(breakdown);
  return {
    score,
    breakdown,
    order: Array.from(new Set(skills.map(({ name }) => keyOf(name)))),
    limits: null,
    feedback: feedbackOn(comparison, own),
    suggestions: suggestionsFor(comparison, own),
    requirements: comparison.requirements,
  };
}

/** By importance, then missing skills first, then by weight. The order of the job description decides between equal ones. */
const byImportance = (a: ComparedSkill, b: ComparedSkill) =>
  importances.indexOf(a.importance) - importances.indexOf(b.importance) ||
  Number(a.match) - Number(b.match) ||
  b.weight - a.weight;

const entryOf = ({ name, onlyListed, ...entry }: ComparedSkill): SkillResult => entry;

/** Clients show underscores as spaces. */
const keyOf = (name: string) => name.replace(/\s+/g, '_');

function feedbackOn({ skills, requirements }: Comparison, own: OriginalText): string {
  const matched = skills.filter(({ match }) => match);
  const missing = skills.filter(({ match, importance }) => !match && importance === 'required');
  const parts = [`Your resume matches ${matched.length} out of ${skills.length} key skills.`];
  if (missing.length > 0) parts.push(`Required and not found: ${names(missing)}.`);
  for (const { kind, met, note } of requirements) {
    if (met === false) parts.push(`${kind === 'experience' ? 'Experience' : 'Education'}: ${note}`);
  }
  if (own.copiedWords > 0) {
    parts.push(
      `${own.copiedWords} words are copied from the job description in whole passages; they count for nothing.`,
    );
  }
  if (own.keywordLines.size > 0) {
    parts.push('Part of the resume is a mere list of keywords; what stands there alone counts by half.');
  }
  parts.push(
    'The score is a weighted keyword match (required 3, mentioned 2, preferred 1, one more when named often). It has not been validated against any real applicant tracking system.',
  );
  return parts.join(' ');
}

const names = (skills: ComparedSkill[]) => skills.map(({ name }) => name).join(', ');

function suggestionsFor({ skills, requirements, suggestions }: Comparison, own: OriginalText): string[] {
  const missing = skills.filter(({ match }) => !match).sort((a, b) => b.weight - a.weight);
  const listed = skills.filter(({ match, onlyListed }) => match && onlyListed);
  const found = missing
    .slice(0, MAX_MISSING)
    .map(
      ({ name, importance, job }) =>
        `${name} is ${importanceLabels[importance]} (“${job.quote}”) and not in the resume: if you have it, say so, and what you used it for.`,
    );
  if (listed.length > 0) {
    found.push(
      `Only listed so far: ${names(listed.slice(0, 6))}. Show in your experience what you did with ${listed.length === 1 ? 'it' : 'them'}.`,
    );
  }
  for (const { met, kind, note } of requirements) {
    if (met === true) continue;
    found.push(
      kind === 'experience'
        ? `${note} Give each position its first and last month, and name in it what you worked with.`
        : `${note} If you have one, name it under education.`,
    );
  }
  found.push(...suggestions);
  if (own.copiedWords > 0)
    found.push('Say in your own words what you did, in place of passages of the job description.');
  if (own.keywordLines.size > 0)
    found.push('Shorten the list of keywords to what you can show, and show it in your experience.');
  if (found.length === 0)
    found.push(
      'Every skill that the job asks for is in the resume: put the most important ones where they are read first.',
    );
  return found.slice(0, MAX_SUGGESTIONS);
}

const importanceLabels = {
  required: 'required',
  mentioned: 'asked for',
  preferred: 'preferred',
  term: 'named often',
} as const;
