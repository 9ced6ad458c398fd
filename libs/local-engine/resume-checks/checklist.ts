import { detectResumeLanguage } from '#libs/local-engine/resume/languages/detect.js';
import { supportedLanguages } from '#libs/local-engine/resume/languages/languages.js';
import { inlineCode } from '#libs/local-engine/text/markdown-text.js';
import { checkAchievements } from './achievements.js';
import { checkContact } from './contact.js';
import { checkDates } from './dates.js';
import { renderGroup, type Checked, type CheckGroup, type CheckInput } from './finding.js';
import { checkLayout } from './layout.js';
import { checkLength } from './length.js';
import { checkSections } from './sections.js';
import { checkWording } from './wording.js';

/** The checks, and the language that each of them can read. */
const checks: [check: (input: CheckInput) => CheckGroup, reads: 'any' | 'supported' | 'English'][] = [
  [checkContact, 'any'],
  [checkSections, 'supported'],
  [checkDates, 'supported'],
  [checkAchievements, 'supported'],
  [checkWording, 'English'],
  [checkLength, 'supported'],
  [checkLayout, 'any'],
];

export function writeChecklist({ resume, now }: Checked): string[] {
  const { language, unsupported } = detectResumeLanguage(resume.text);
  const isInEnglish = language === 'en' && unsupported === null;
  const groups = checks
    .filter(([, reads]) => reads === 'any' || (reads === 'supported' ? unsupported === null : isInEnglish))
    .map(([check]) => check({ resume, now, isEnglish: isInEnglish }));
  const findings = groups.flatMap((group) => group.findings);
  const passed = findings.filter(({ verdict }) => verdict === 'good').length;
  const open = findings.filter(({ verdict }) => verdict === 'improve').length;
  return [
    `# Resume checklist\n\n*Made by rules on this server: checks that can be computed, each with its place. It is a checklist, not a judgement: it does not know your trade or the job.*`,
    `${inlineCode(resume.fileName)}: ${passed} checks passed, ${open} with something to improve.`,
    ...languageNote(isInEnglish, unsupported),
    ...groups.map(renderGroup),
  ];
}

function languageNote(isInEnglish: boolean, unsupported: string | null): string[] {
  if (unsupported !== null)
    return [
      `**This resume seems to be in ${unsupported}.** Without an AI service, headings, dates, statements and length are checked in ${supportedLanguages} only, and wording in English, so these checks are left out.`,
    ];
  return isInEnglish
    ? []
    : [
        '**This resume does not seem to be in English.** Verbs, phrases and readability are checked in English only, so these checks are left out.',
      ];
}
