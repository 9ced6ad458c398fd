import { detectResumeLanguage, type DetectedLanguage } from '../languages/detect.js';
import { findSkills } from './find-skills.js';
import type { TextContext } from './is-meant.js';
import { technologyProducts } from './skills.js';

const TECHNICAL =
  /\b(?:software|developers?|programm\w+|back-?end|front-?end|devops|full-?stack|engineer\w*|statistic\w*|coding|entwickler\w*|développeu\w+|desarrollador\w*|sviluppat\w+|desenvolvedor\w*|ontwikkelaar\w*|programist\w+)\b/i;

/** @param text the whole text, of which parts are read in this context */
export function textContext(text: string): TextContext & DetectedLanguage {
  const detected = detectResumeLanguage(text);
  const named = findSkills(text, { ...detected, isTechnical: false }).map(({ skill }) => skill);
  const isTechnical =
    TECHNICAL.test(text) ||
    named.some((skill) => technologyProducts.has(skill)) ||
    // A text that names no other trade either may be about technology.
    named.every(({ isEveryday }) => isEveryday);
  return { ...detected, isTechnical };
}
