import { findSections } from '#libs/local-engine/resume/sections.js';
import type { ResumeLine } from '#libs/local-engine/resume/resume.js';
import { good, improve, note, type Checked, type CheckGroup } from './finding.js';

const EMAIL = /[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}/u;
const PHONE = /(?<![\d/.-])(?:\+\d{1,3}[\s().-]*)?(?:\(?\d{2,5}\)?[\s./-]*){2,5}\d{2,4}(?![\d/-])/;
const LINK =
  /(?:https?:\/\/|www\.)\S+|\b(?:linkedin\.com|github\.com|behance\.net|gitlab\.com|dribbble\.com)\/\S+|\b[a-z\d-]+\.(?:dev|io|me|design|portfolio)\b/i;
const PLACE =
  /\b\p{Lu}[\p{L}.'-]+(?: \p{Lu}[\p{L}.'-]+)*, ?(?:[A-Z]{2}\b|\p{Lu}\p{L}{3,})|\b[A-Z]{2} \d{5}\b|\b\d{4,5} \p{Lu}\p{L}+|\bremote\b/u;
/** The contact data should be within this many lines. */
const TOP = 12;

export function checkContact({ resume: { lines } }: Checked): CheckGroup {
  const top = lines.slice(0, TOP);
  const email = lines.find(({ text }) => EMAIL.test(text));
  const phone = lines.find(({ text }) => hasPhone(text));
  const links = lines.filter(({ text }) => LINK.test(text.replace(new RegExp(EMAIL, 'gu'), '')));
  // "Triage, Epic" below another heading is no place.
  const elsewhere = new Set(
    findSections(top)
      .filter(({ kind }) => kind !== 'contact')
      .flatMap((section) => [section.heading, ...section.lines]),
  );
  const place = top.find((line) => !elsewhere.has(line) && PLACE.test(line.text));
  return {
    title: 'Contact data',
    findings: [
      email
        ? good('An email address.', [email])
        : improve('No email address was found: put one at the top, as text.'),
      phone ? good('A phone number.', [phone]) : improve('No phone number was found.'),
      links.length > 0
        ? good('A link to a profile or portfolio.', links)
        : improve('No link to a profile or portfolio was found; where you have one, write it out.'),
      place
        ? good('A place.', [place])
        : note('No place was recognised near the top; a city and country are enough, no street.'),
      ...(email ? checkEmailPosition(email, lines) : []),
    ],
  };
}

function hasPhone(text: string): boolean {
  const found = PHONE.exec(text)?.[0] ?? '';
  const digits = found.replace(/\D/g, '').length;
  // Two adjacent years ("2019 2021") have the digits of a phone number.
  return digits >= 8 && digits <= 15 && !/^\s*(?:19|20)\d\d\D+(?:19|20)\d\d\s*$/.test(found);
}

const checkEmailPosition = (email: ResumeLine, lines: readonly ResumeLine[]) =>
  lines.indexOf(email) < TOP
    ? []
    : [improve('The contact data stands far down: move it to the top.', [email])];
