import type { z } from 'zod';
import {
  importances,
  requirementSchema,
  skillResultSchema,
  type Requirement,
} from '#libs/tools/calculate-ats-score/contract.js';

export interface Skill {
  name: string;
  match: boolean;
  feedback: string;
  /** Passage of the job description that asks for the skill, and how important the skill is. */
  requirement: { quote: string; importance: Importance } | null;
  /** Its part in the score; null in results of older versions. */
  scoring: { weight: number; credit: number } | null;
  /** Passage of the resume that shows the skill. */
  evidence: { quote: string; page: number } | null;
}
type Importance = z.infer<typeof skillResultSchema>['importance'];

export interface AtsReport {
  /** Integer from 0 to 100. */
  score: number;
  /** Why the score is no measure of the match, such as a language that is not supported. */
  limits: string | null;
  skills: Skill[];
  feedback: string;
  suggestions: string[];
  requirements: Requirement[];
}

const unreadable: AtsReport = {
  score: 0,
  limits: null,
  skills: [],
  feedback: 'Could not parse results',
  suggestions: ['Please try again or check your inputs'],
  requirements: [],
};

/**
 * Parses a result in any format that a version of the server has used: an object or JSON text, either with a score or with a
 * map of skills, from which the score is then computed.
 * @returns null if `content` is not an object
 */
export function readReport(content: unknown): AtsReport | null {
  let value = content;
  try {
    if (typeof content === 'string') value = JSON.parse(content);
  } catch {
    return unreadable;
  }
  if (!isRecord(value)) return null;
  if (value['score'] == null) {
    const map = isRecord(value['breakdown']) ? value['breakdown'] : value;
    return isSkillMap(map) ? countReport(readSkills(map)) : unreadable;
  }
  return {
    score: readScore(value['score']),
    limits: textOf(value['limits']) || null,
    skills: isRecord(value['breakdown']) ? inOrder(readSkills(value['breakdown']), value['order']) : [],
    feedback: textOf(value['feedback']),
    suggestions: readSuggestions(value['suggestions']),
    requirements: requirementSchema.array().safeParse(value['requirements']).data ?? [],
  };
}

export function reportText({ score, limits, feedback, suggestions }: AtsReport): string {
  return [
    limits === null ? `ATS Score: ${score}/100` : 'ATS Score: no reliable score',
    feedback && `Feedback: ${feedback}`,
    suggestions.length > 0 &&
      `Suggestions:\n${suggestions.map((suggestion) => `- ${suggestion}`).join('\n')}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

export function reportMarkdown({ score, limits, skills, feedback, suggestions }: AtsReport): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
  const row = ({ name, match, feedback: note }: Skill) =>
    `| ${cell(name)} | ${match ? 'Match' : 'Missing'} | ${cell(note)} |`;
  return [
    limits === null ? `# ATS score: ${score}/100` : '# ATS score: no reliable score',
    skills.length > 0 &&
      ['## Skills', '', '| Skill | Result | Feedback |', '| --- | --- | --- |', ...skills.map(row)].join(
        '\n',
      ),
    feedback && `## Summary feedback\n\n${feedback}`,
    suggestions.length > 0 &&
      `## Improvement suggestions\n\n${suggestions.map((one) => `- ${one.replace(/\s+/g, ' ')}`).join('\n')}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Rating of a score, which the page shows as red, yellow or green. */
export function scoreTone(score: number): 'low' | 'middling' | 'high' {
  return score < 40 ? 'low' : score < 70 ? 'middling' : 'high';
}

function countReport(skills: Skill[]): AtsReport {
  const matches = skills.filter(({ match }) => match).length;
  return {
    score: Math.round((matches / skills.length) * 100),
    limits: null,
    skills,
    feedback: `Your resume matches ${matches} out of ${skills.length} key skills`,
    suggestions: skills.map(({ name, match, feedback }) =>
      match
        ? `Strong match for ${name}${feedback && `: ${feedback}`}`
        : `Missing or weak ${name}: ${feedback || 'Consider adding this skill'}`,
    ),
    requirements: [],
  };
}

function readSkills(breakdown: Record<string, unknown>): Skill[] {
  return Object.entries(breakdown).map(([key, value]) => {
    const name = key.replaceAll('_', ' ');
    const full = skillResultSchema.safeParse(value);
    if (full.success) {
      const { match, feedback, importance, weight, credit, job, resume } = full.data;
      const requirement = { quote: job.quote, importance };
      return { name, match, feedback, requirement, scoring: { weight, credit }, evidence: resume };
    }
    const { match, feedback } = isRecord(value) ? value : { match: value, feedback: '' };
    return {
      ...{ name, match: isYes(match), feedback: textOf(feedback) },
      ...{ requirement: null, scoring: null, evidence: null },
    };
  });
}

/** Sorts skills by the order that the result gives, or else by importance with missing skills first. */
function inOrder(skills: Skill[], order: unknown): Skill[] {
  if (Array.isArray(order)) {
    const places = new Map(order.map((key, index) => [String(key).replaceAll('_', ' '), index]));
    const placeOf = ({ name }: Skill) => places.get(name) ?? order.length;
    return skills.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
  const rankOf = ({ requirement }: Skill) =>
    requirement ? importances.indexOf(requirement.importance) : importances.length;
  return skills.toSorted((a, b) => rankOf(a) - rankOf(b) || Number(a.match) - Number(b.match));
}

const isSkillMap = (value: Record<string, unknown>) => {
  const skills = Object.values(value);
  return skills.length > 0 && skills.every((skill) => isFlag(isRecord(skill) ? skill['match'] : skill));
};

const yes = /^(true|yes|y|match|matched|1)$/i;
const no = /^(false|no|n|missing|0|)$/i;
const isYes = (value: unknown) => isFlag(value) && yes.test(String(value));
const isFlag = (value: unknown) =>
  (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') &&
  (yes.test(String(value)) || no.test(String(value)));

/** Parses a score that is a number or a string such as "85%" or "85/100"; 0 if it is neither. */
function readScore(value: unknown): number {
  const score = Math.round(parseFloat(String(value)));
  return Number.isNaN(score) ? 0 : Math.min(100, Math.max(0, score));
}

function readSuggestions(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== '');
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
