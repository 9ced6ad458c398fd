import { findSections, type SectionKind } from '#libs/local-engine/resume/sections.js';
import { good, improve, improveIf, note, type Checked, type CheckGroup, type Finding } from './finding.js';

const expected: [SectionKind, string, string][] = [
  ['experience', 'Work experience', 'Use a plain heading such as “Experience”.'],
  ['education', 'Education', 'Use a plain heading such as “Education”.'],
  ['skills', 'Skills', 'A short list under “Skills” is what keyword searches look at first.'],
  ['summary', 'Summary', 'Two or three lines at the top that say what you do and for whom are enough.'],
];

export function checkSections({ resume: { lines } }: Checked): CheckGroup {
  const sections = findSections(lines);
  const findings: Finding[] = expected.map(([kind, name, advice]) => {
    const found = sections.filter((section) => section.kind === kind);
    if (found.length > 0)
      return good(
        `${name}.`,
        found.map(({ heading }) => heading),
      );
    const text = `No section for ${name.toLowerCase()} was recognised. ${advice}`;
    return kind === 'summary' ? note(text) : improve(text);
  });
  const other = sections.filter(({ kind }) => !expected.some(([name]) => name === kind));
  if (other.length > 0)
    findings.push(
      note(
        'Also found:',
        other.map(({ heading }) => heading),
      ),
    );
  const empty = sections.filter(
    (section, index) => section.lines.length === 0 && index < sections.length - 1,
  );
  if (empty.length > 0) {
    findings.push(
      note(
        'Nothing stands between these headings and the next; in two columns their contents may be read apart.',
        empty.map(({ heading }) => heading),
      ),
    );
  }
  const references = lines.filter(({ text }) =>
    /references (?:are )?available (?:up)?on request/i.test(text),
  );
  findings.push(...improveIf(references, 'This line says nothing that is not expected: leave it out.'));
  return { title: 'Sections', findings };
}
