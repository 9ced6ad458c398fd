import { describe, expect, it } from '@jest/globals';
import { toResume } from '#libs/local-engine/resume/resume.js';
import { cpuTimeOf } from '../../../test/support/cpu-time.js';
import { inEnglishWithForeignNames, resumePages } from '../../../test/support/resumes.js';
import { writeChecklist } from './checklist.js';

const now = new Date('2025-06-01T00:00:00Z');
const checklist = (pages = resumePages, name = 'mara.pdf') =>
  writeChecklist({ resume: toResume(name, pages), now }).join('\n\n');
const withLines = (...lines: string[]) => [`${resumePages[0]}\n${lines.join('\n')}`, resumePages[1] ?? ''];

/** The line of the checklist with these words, and the places below it. */
function finding(text: string, words: RegExp): string {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => words.test(line));
  const places = lines.slice(at + 1);
  const end = places.findIndex((line) => !line.startsWith('  - '));
  return at < 0 ? '' : [lines[at], ...places.slice(0, end < 0 ? undefined : end)].join('\n');
}

describe('the checklist', () => {
  it('says what it is', () => {
    expect(checklist()).toMatch(/^# Resume checklist\n\n\*Made by rules on this server: .* not a judgement/);
    expect(checklist()).not.toContain('does not seem to be in English');
  });

  it('names the pages in columns', () => {
    const inColumns = writeChecklist({ resume: toResume('mara.pdf', resumePages, [1]), now }).join('\n\n');
    expect(finding(inColumns, /Columns side by side: page 1\./)).toContain('**To improve.**');
    expect(checklist()).not.toContain('Columns side by side');
  });

  it('finds contact data, with its place', () => {
    expect(finding(checklist(), /An email address/)).toBe(
      '- **Good.** An email address.\n  - Page 1, line 2: “mara@lindqvist.example \\| +46 70 123 45 67 \\| Uppsala, Sweden \\| linkedin.com/in/maralindqvist”',
    );
    expect(finding(checklist(), /A phone number/)).toContain('**Good.**');
    expect(finding(checklist(), /A place/)).toContain('**Good.**');
    const without = checklist([
      (resumePages[0] ?? '').replace(/^mara@.*$/m, 'Contact me'),
      resumePages[1] ?? '',
    ]);
    expect(without).toMatch(/No email address/);
    expect(without).toMatch(/No phone number/);
  });

  it('finds sections and names missing ones', () => {
    expect(finding(checklist(), /Work experience\./)).toContain('Page 1, line 5: “Experience”');
    expect(finding(checklist(), /says nothing that is not expected/)).toContain('Page 2, line 7');
    expect(checklist([(resumePages[0] ?? '').replace('Experience\n', ''), resumePages[1] ?? ''])).toContain(
      'No section for work experience was recognised',
    );
  });

  it('finds gaps, order, mixed forms and future in dates', () => {
    const text = checklist();
    expect(finding(text, /Time between positions .*20 months/)).toContain('Page 1, line 6');
    expect(text).toContain('ordered from the newest to the oldest');
    expect(finding(text, /Dates are written in 2 ways/)).toContain('Page 2, line 2');
    const later = checklist(withLines('Harbour Ltd, Jan 2030 - Mar 2031', 'Old Ltd, May 2012 - Jan 2011'));
    expect(finding(later, /in the future/)).toContain('Harbour Ltd');
    expect(finding(later, /end before they begin/)).toContain('Old Ltd');
    expect(finding(later, /newer than the one before/)).toContain('Harbour Ltd');
  });

  it('measures achievements and finds weak openings', () => {
    const text = checklist();
    expect(text).toContain('3 of 6 statements have a figure (50%)');
    expect(finding(text, /with a duty/)).toContain('Page 1, line 9: “• Responsible for the tuning');
    expect(finding(text, /open with an action verb/)).toContain('4 of 6');
  });

  it('finds passive voice, first person, stock phrases and repeated words', () => {
    const text = checklist(
      withLines(
        '• I am a team player with a proven track record',
        ...['one', 'two', 'three', 'four'].map((word) => `• Documented warehouse procedures in part ${word}`),
      ),
    );
    expect(finding(text, /Passive voice/)).toContain('Was given the task');
    expect(finding(text, /First person/)).toContain('I am a team player');
    expect(finding(text, /Stock phrases/)).toContain('team player');
    expect(finding(text, /stand in many statements/)).toMatch(/“(?:documented|warehouse|procedures)” \(4\)/);
    expect(checklist()).toContain('No “I” or “my”');
  });

  it('finds no passive voice in a relative clause, also on the next line', () => {
    const pages = [
      (resumePages[0] ?? '').replace(
        /^• Was given.*$/m,
        '• Mentored four engineers who joined from other teams, two of\nwhom were promoted',
      ),
    ];
    expect(checklist([...pages, resumePages[1] ?? ''])).toContain('No passive voice was recognised');
  });

  it('measures length and bullets', () => {
    expect(checklist()).toMatch(/2 pages, \d+ words: short/);
    const long = checklist(withLines(`• Managed ${'many different things '.repeat(15)}`));
    expect(finding(long, /of more than 35 words/)).toContain('Managed many different');
  });

  it('warns of layouts that programs may misread', () => {
    const text = checklist(
      [...withLines('S K I L L S', 'THIS WHOLE LINE IS WRITTEN IN BIG CAPITALS', 'Call \uf095 me'), ''],
      'cv (2).pdf',
    );
    expect(finding(text, /Letters set apart/)).toContain('S K I L L S');
    expect(finding(text, /Long lines in capitals/)).toContain('BIG CAPITALS');
    expect(finding(text, /without a meaning/)).toContain('Call');
    expect(text).toContain('Without any text: page 3');
    expect(text).toContain('general name');
  });

  it('says when the resume is in another language, and escapes what it quotes', () => {
    const german =
      'Verantwortlich für die Planung und Durchführung von Projekten mit externen Partnern '.repeat(15);
    expect(checklist([german])).toContain('does not seem to be in English');
    expect(checklist([german])).not.toMatch(/## Wording|action verb|reading ease|Responsible/);
    expect(checklist(withLines('• I like <b>bold</b> and [links](x)'))).toContain('\\<b\\>bold');
  });
});

it.each([
  ['Japanese', '職務経歴 株式会社メルカリ バックエンドエンジニア 決済サービスの設計と開発を担当 '],
  ['Arabic', 'إعداد التقارير المالية الشهرية وفق معايير المحاسبة الدولية في شركة إعمار '],
])('does not judge what it cannot read in %s', (language, line) => {
  const text = checklist([`layla@example.ae\n${`${line}\n`.repeat(12)}`], 'cv.docx');
  expect(text).toContain(`**This resume seems to be in ${language}.**`);
  expect(text).toMatch(/statements and length are checked in .* only, .* left out/);
  expect(finding(text, /An email address/)).toContain('**Good.**');
  expect(text).not.toMatch(/No section|No spans|Statements|a figure|Wording|capitals|PDF/);
  expect(text).toContain('general name');
});

it('takes no position with its dates for a statement, nor a skill for a place', () => {
  const text = checklist([
    [
      'Mary O’Neill, mary@example.com',
      'Experience',
      'Staff Nurse, St. James’s Hospital Jan 2019 – Present',
      'Cared for 8 patients per shift on a cardiology ward',
      'Skills',
      `Triage, Epic, ${'care, '.repeat(40)}`,
    ].join('\n'),
  ]);
  expect(finding(text, /action verb/)).not.toContain('Staff Nurse');
  expect(text).toContain('1 of 1 statement');
  expect(text).toContain('No place was recognised');
});

it('reads an English resume with many foreign names as English', () => {
  const text = checklist([inEnglishWithForeignNames]);
  expect(text).not.toContain('does not seem to be in English');
  expect(finding(text, /Passive voice/)).toContain('Was given the task');
  expect(text).toMatch(/open with an action verb/);
});

it('finds a place under a heading for contact data, below a profile', () => {
  const page = [
    'Mary O’Neill',
    'Profile',
    `Nurse ${'who cares for patients '.repeat(12)}`,
    'Contact',
    'Berlin, Germany',
  ];
  expect(finding(checklist([page.join('\n')]), /A place\./)).toContain('Berlin, Germany');
  expect(checklist([page.join('\n').replace('Contact', 'Skills')])).toContain('No place was recognised');
});

it('takes sentences with a period for statements, but no long position', () => {
  const text = checklist([
    [
      'Mary O’Neill, mary@example.com',
      'Experience',
      'Senior Staff Nurse, Cardiology Ward, St. James’s Hospital, Dublin, Jan 2019 – Present',
      'Led the migration of 40 services from 2019 to 2021',
      'Trained new nurses, 2017 – 2019',
      'Education',
      `Nursing, ${'care, '.repeat(40)}`,
    ].join('\n'),
  ]);
  expect(text).toContain('1 of 2 statements has a figure');
  expect(text).toContain('2 of 2 statements open with an action verb');
});

it.each(['1', 'A', '12-', 'a.', 'a@a', 'x  '])(
  'takes no longer than it should over a line of many %j',
  async (part) => {
    const pages = withLines(part.repeat(40_000 / part.length));
    expect(await cpuTimeOf(3_000, () => checklist(pages))).toBeLessThan(3_000);
  },
);
