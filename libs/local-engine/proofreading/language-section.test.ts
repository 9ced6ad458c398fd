import { expect, it } from '@jest/globals';
import { languageSection } from './language-section.js';

const fault = {
  kind: 'spelling' as const,
  quote: 'Recieved',
  context: 'Recieved an *award*',
  message: 'This word is not in the dictionary.',
  suggestions: ['Received', 'Relieved'],
  page: 1,
  line: 7,
  section: 'Experience',
};

it('lists each fault with its place, escaped', () => {
  expect(languageSection({ faults: [fault], isWhole: true })).toBe(
    '## Spelling and grammar\n\n- **To improve.** Spelling: “Recieved”: perhaps “Received” or “Relieved”.\n' +
      '  - Page 1, line 7, under “Experience”: “Recieved an \\*award\\*”',
  );
});

it('says if there are no faults, if only a part was checked, or if nothing was', () => {
  expect(languageSection({ faults: [], isWhole: false })).toMatch(
    /\*\*Good\.\*\* No fault.*\n.*only its first part/,
  );
  expect(languageSection(null)).toMatch(/\*\*Note\.\*\* Spelling and grammar were not checked/);
  const many = Array.from({ length: 30 }, () => fault);
  expect(languageSection({ faults: many, isWhole: true })).toMatch(/\n- and 5 more$/);
});
