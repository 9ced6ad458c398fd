import type { Skill } from '#libs/local-engine/resume/skills/skills.js';

/** Levels of the Common European Framework of Reference for Languages, from the lowest. */
export const languageLevels = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'] as const;
export type LanguageLevel = (typeof languageLevels)[number];

/** Names of skills whose levels are compared. A driving licence has classes such as C1 too. */
const names =
  'English Spanish French German Italian Portuguese Mandarin Japanese Arabic Dutch Russian Hindi Polish Turkish Swedish Norwegian Danish Finnish Czech Ukrainian Korean Catalan Greek Romanian';
const LANGUAGES = new Set(names.split(' '));

const LEVEL =
  /^(?:[\s:,(–—-]|(?:level|niveau|nivel|nível|livello|poziom\p{Ll}*|skills|kenntnisse|auf|at|de|di|na|op|least|mindestens|minimum|mínimo|mind\.|min\.)(?!\p{L})){0,12}([ABC][12])(?:\s?[/–-]\s?([ABC][12]))?(?![\p{L}\d])/iu;

/** The levels after a language, the lower one first: “English (B2)”, “Englisch mindestens B2/C1”; none for another skill. */
export function levelsAfter({ name }: Skill, text: string): LanguageLevel[] {
  if (!LANGUAGES.has(name)) return [];
  const [, ...found] = LEVEL.exec(text.slice(0, 60)) ?? [];
  return languageLevels.filter((level) => found.some((one) => one?.toUpperCase() === level));
}

export const isLower = (a: LanguageLevel, b: LanguageLevel) =>
  languageLevels.indexOf(a) < languageLevels.indexOf(b);
