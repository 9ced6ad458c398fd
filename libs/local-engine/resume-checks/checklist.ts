import { isEnglish } from '#libs/local-engine/text/language.js';
import { inlineCode } from '#libs/local-engine/text/markdown-text.js';
import { checkAchievements } from './achievements.js';
import { checkContact } from './contact.js';
import { checkDates } from './dates.js';
import { renderGroup, type Checked, type CheckGroup } from './finding.js';
import { checkLayout } from './layout.js';
import { checkLength } from './length.js';
import { checkSections } from './sections.js';
import { checkWording } from './wording.js';

const checks: ((checked: Checked) => CheckGroup)[] = [
  checkContact,
  checkSections,
  checkDates,
  checkAchievements,
  checkWording,
  checkLength,
  checkLayout,
];

export function writeChecklist({ resume, now }: Checked): string[] {
  const groups = checks.map((check) => check({ resume, now }));
  const findings = groups.flatMap((group) => group.findings);
  const passed = findings.filter(({ verdict }) => verdict === 'good').length;
  const open = findings.filter(({ verdict }) => verdict === 'improve').length;
  return [
    `# Resume checklist\n\n*Made by rules on this server: checks that can be computed, each with its place. It is a checklist, not a judgement: it does not know your trade or the job.*`,
    `${inlineCode(resume.fileName)}: ${passed} checks passed, ${open} with something to improve.`,
    ...(isEnglish(resume.text)
      ? []
      : [
          '**This resume does not seem to be in English.** Headings, dates and degrees are read in eight languages, but verbs and phrases are looked for in English: take what is said about wording with care.',
        ]),
    ...groups.map(renderGroup),
  ];
}
