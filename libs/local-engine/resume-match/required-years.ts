import { findDateRanges, monthsCovered, type DateRange } from '#libs/local-engine/resume/date-ranges.js';
import type { ResumeLine } from '#libs/local-engine/resume/resume.js';
import { findSkills, withImplying, type SkillMention } from '#libs/local-engine/resume/skills/find-skills.js';
import type { TextContext } from '#libs/local-engine/resume/skills/is-meant.js';
import type { Skill } from '#libs/local-engine/resume/skills/skills.js';
import { isNamedProduct } from '#libs/local-engine/resume/skills/named-products.js';
import { tokenise, type Token } from '#libs/local-engine/resume/tokens.js';
import { findWorkEntries, type WorkEntry } from '#libs/local-engine/resume/work-entries.js';
import { cardinalWords, readNumber } from '#libs/local-engine/text/spelled-numbers.js';
import type { Requirement } from '#libs/tools/calculate-ats-score/contract.js';
import { groupAlternatives } from './alternatives.js';
import { deniedSkills, disclaimer } from './disclaimer.js';
import { readForeignYears } from './foreign-years.js';
import type { JobClause, Posting } from './job-clauses.js';
import type { YearsRequest, YearsSubject } from './years-request.js';
import { trimBullet } from './resume-evidence.js';
import words from './required-years.json' with { type: 'json' };

const number = String.raw`(?:\d{1,2}|${cardinalWords})(?!\d)`;
const YEARS = new RegExp(
  String.raw`(?<![\d.,$€£-])\b(${number})(?:\s*\(\d{1,2}\))?\s*\+?(?:\s*(?:-|–|—|to)\s*${number}\s*\+?)?\s*(?:or more\s+|plus\s+|full\s+)?(?:years?|yrs?\.?)(?![-\p{L}])['’]?(?:\s+(?:or more|minimum|plus))?`,
  'giu',
);
const MAX_YEAR_REQUIREMENTS = 3;

/** The years of experience that a job requests, compared with the dated positions of the resume that name their subject. */
export function requiredYears(
  clauses: readonly JobClause[],
  lines: readonly ResumeLine[],
  now: Date,
  context: TextContext,
): Requirement[] {
  const requests = clauses
    .flatMap((clause) => [...readRequests(clause), ...readForeignYears(clause)])
    .slice(0, MAX_YEAR_REQUIREMENTS);
  if (requests.length === 0) return [];
  const denied = deniedSkills(lines.map(({ text }) => text).join('\n'), context);
  const history = { entries: findWorkEntries(lines), lines, now, context, denied };
  return requests.map(({ least, subject, hasAlternative, quote }) => {
    const answer = subject ? judgeSubject(subject, least, history) : judgeAll(least, history);
    const isOpen = hasAlternative && answer.met === false;
    return {
      kind: 'experience' as const,
      job: { quote },
      ...answer,
      met: isOpen ? null : answer.met,
      note: isOpen ? `${answer.note} The job also takes something else instead.` : answer.note,
    };
  });
}

interface History {
  entries: WorkEntry[];
  lines: readonly ResumeLine[];
  now: Date;
  context: TextContext;
  /** Skills that the resume denies, by name. */
  denied: ReadonlySet<string>;
}

type Verdict = Pick<Requirement, 'met' | 'note' | 'resume'>;

function judgeAll(least: number, { entries, now }: History): Verdict {
  const newest = newestOf(entries.flatMap(({ ranges }) => ranges));
  if (!newest) {
    return {
      met: null,
      resume: null,
      note: 'The resume shows no spans of time (such as “Mar 2019 – Present”) from which years could be counted.',
    };
  }
  const years = yearsOf(entries, now);
  return {
    met: years >= least,
    resume: { quote: newest.text, page: newest.line.page },
    note: `The dates in the resume cover ${fullYears(years)} of work in all.`,
  };
}

function judgeSubject(subject: YearsSubject, least: number, history: History): Verdict {
  const parts: Part[] = subject.groups.map((anyOf) => ({
    name: anyOf.map(({ name }) => name).join(' or '),
    isListedSkill: true,
    linesNaming: (lines) => linesWithSkill(lines, anyOf, history),
  }));
  if (parts.length === 0) {
    const { words } = subject;
    parts.push({
      name: words,
      isListedSkill: false,
      linesNaming: (lines) => linesWithWords(lines, words, history.context),
    });
  }
  const verdicts = parts.map((part) => judgePart(part, subject.isNamed, least, history));
  // Every part is requested, so the worst verdict counts.
  return (
    verdicts.find(({ met }) => met === false) ?? verdicts.find(({ met }) => met === null) ?? verdicts[0]!
  );
}

/** One subject that years are requested for. */
interface Part {
  name: string;
  isListedSkill: boolean;
  linesNaming: (lines: readonly ResumeLine[]) => ResumeLine[];
}

function judgePart(
  { name, isListedSkill, linesNaming }: Part,
  isNamed: boolean,
  least: number,
  history: History,
): Verdict {
  const { entries, lines, now } = history;
  const naming = entries.filter((entry) => linesNaming(entry.lines).length > 0);
  const years = yearsOf(naming, now);
  const total = yearsOf(entries, now);
  const place = linesNaming(naming[0]?.lines ?? [])[0] ?? linesNaming(lines)[0];
  const resume = place ? { quote: trimBullet(place.text), page: place.page } : null;
  const inAll = `The dates in the resume cover ${fullYears(total)} of work in all`;
  if (naming.length > 0) {
    const note = `The dated positions that name ${name} cover ${fullYears(years)}.`;
    if (years >= least) return { met: true, resume, note };
    const claim = claimedYears(lines, linesNaming);
    if (claim && claim.years >= least && total >= least) {
      return {
        met: null,
        resume: { quote: claim.line.text, page: claim.line.page },
        note: `The resume says ${claim.years} years, but its dated positions that name ${name} cover ${fullYears(years)}.`,
      };
    }
    return { met: isNamed || isListedSkill || total < least ? false : null, resume, note };
  }
  if (resume) {
    if (entries.length > 0 && total < least) return { met: false, resume, note: `${inAll}.` };
    return {
      met: null,
      resume,
      note: `The resume names ${name}, but in no dated position, so its years cannot be counted.`,
    };
  }
  if (isNamed) return { met: false, resume, note: `The resume does not name ${name}.` };
  if (entries.length === 0) return judgeAll(least, history);
  return total < least
    ? { met: false, resume, note: `${inAll}.` }
    : {
        met: null,
        resume,
        note: `${inAll}; no position names “${name}”, so how many of them count cannot be told.`,
      };
}

const yearsOf = (entries: readonly WorkEntry[], now: Date) =>
  Math.floor(
    monthsCovered(
      entries.flatMap(({ ranges }) => ranges),
      now,
    ) / 12,
  );

const fullYears = (years: number) => `${years} full ${years === 1 ? 'year' : 'years'}`;

const newestOf = (ranges: readonly DateRange[]) =>
  ranges.reduce<DateRange | null>((a, b) => (a && a.start >= b.start ? a : b), null);

/** The lines that name one of the skills, or a skill that implies one. A phrase may continue on the next line. */
function linesWithSkill(
  lines: readonly ResumeLine[],
  anyOf: readonly Skill[],
  { context, denied }: History,
): ResumeLine[] {
  const wanted = new Set(anyOf.flatMap(withImplying).filter(({ name }) => !denied.has(name)));
  const starts: number[] = [];
  let text = '';
  for (const line of lines) {
    starts.push(text.length);
    text += `${line.text}\n`;
  }
  const found = new Set(
    findSkills(text, context)
      .filter(
        ({ skill, start, end }) =>
          wanted.has(skill) && !disclaimer(text.slice(0, start), text.slice(end), context.language),
      )
      .map(({ start }) => lines[starts.findLastIndex((at) => at <= start)]),
  );
  return lines.filter((line) => found.has(line));
}

/** Engineers, developers and programmers do the same work, and backends, websites and apps are software. */
const BUILDING = /^(?:develop|engineer|program|cod(?:e|er|ing)$)/;
const SOFTWARE = /^(?:software|backend|frontend|end|stack|web|mobile|android|ios|embedded|application)$/;
const familyOf = ({ lower, stem }: Token) => (BUILDING.test(lower) ? 'develop' : stem);
const familiesOf = (token: Token) => [familyOf(token), ...(SOFTWARE.test(token.lower) ? ['softwar'] : [])];

function linesWithWords(
  lines: readonly ResumeLine[],
  words: string,
  { language }: TextContext,
): ResumeLine[] {
  const stems = tokenise(words).map(familyOf);
  return lines.filter(({ text }) => {
    const own = new Map(
      tokenise(text).flatMap((token) => familiesOf(token).map((family) => [family, token.start] as const)),
    );
    const at = stems.map((stem) => own.get(stem));
    return (
      stems.length > 0 &&
      at.every((start) => start !== undefined && !disclaimer(text.slice(0, start), '', language))
    );
  });
}

/** The highest number of years that the resume claims in words ("7 years of Java"). */
function claimedYears(
  lines: readonly ResumeLine[],
  linesNaming: (lines: readonly ResumeLine[]) => ResumeLine[],
): { years: number; line: ResumeLine } | null {
  return linesNaming(lines)
    .flatMap((line) =>
      findDateRanges([line]).length > 0
        ? []
        : Array.from(line.text.matchAll(YEARS), ([, years = '']) => ({ years: readNumber(years), line })),
    )
    .reduce<{ years: number; line: ResumeLine } | null>((a, b) => (a && a.years >= b.years ? a : b), null);
}

const NO_EXPERIENCE_BEFORE =
  /\b(?:past|last|next|first|within|every|founded|for over|over the|recent|in the|previous|ages?)\s*$/i;
const NO_EXPERIENCE_AFTER =
  /^\s*(?:old\b|of age\b|ago\b|later\b|contract|warranty|plan\b|term\b|lease|programs?\b|programmes?\b|cycle|anniversary|from now|in business|in a row|of (?:growth|funding|success|history|excellence|innovation))/i;
const OF_THE_EMPLOYER =
  /\b(?:we|we['’]ve|we['’]re|our|us|company|firm|agency|team has|founded|established|clients?)\b/i;
const OF_THE_APPLICANT =
  /\b(?:you|you['’]ve|your|candidates?|applicants?|must|required?|minimum|at least|looking for|seeking|need)\b/i;
const EXPERIENCE =
  /\b(?:experience|experienced|expertise|work|working|worked|practi[cs]e|practi[cs]ing|background|role|track record|employment|tenure|exposure|use|proficiency|knowledge)\b/i;

function readRequests({ text, sentence, posting }: JobClause): YearsRequest[] {
  const matches = Array.from(text.matchAll(YEARS));
  return matches.flatMap((match, index) => {
    const end = match.index + match[0].length;
    const before = text.slice(endOf(matches[index - 1]), match.index);
    const after = text.slice(end, matches[index + 1]?.index);
    if (NO_EXPERIENCE_BEFORE.test(before) || NO_EXPERIENCE_AFTER.test(after)) return [];
    if (OF_THE_EMPLOYER.test(before) && !OF_THE_APPLICANT.test(text)) return [];
    const subject = subjectAfter(after, before, posting) ?? subjectBefore(before, posting);
    if (!subject && !EXPERIENCE.test(`${before} ${after}`)) return [];
    return [
      {
        least: readNumber(match[1] ?? ''),
        subject,
        hasAlternative:
          (/\bor\b/i.test(after.slice(0, 120)) && /\bdegree|diploma|equivalent\b/i.test(after)) ||
          /\b(?:degree|diploma|bachelor\S*|master\S*|ph\.?d)\b[^.;]*\bor\b[^.;,]*$/i.test(before),
        quote: sentence,
      },
    ];
  });
}

const endOf = (match: RegExpExecArray | undefined) => (match ? match.index + match[0].length : 0);

/** Words between the years and their subject. */
const LEAD = new RegExp(
  String.raw`^\s*(?:(?:of|in|with|as|using|on|for|an?|the|your|minimum|or more|more|total|overall|combined|post[- ](?:graduate|qualification)|relevant|related|professional|proven|demonstrable|demonstrated|practical|direct|commercial|industry|industrial|progressive|progressively responsible|recent|prior|previous|solid|strong|extensive|significant|successful|hands[- ]on|real[- ]world|full[- ]time|paid|in[- ]depth|similar|comparable|work|working|job|experience|expertise|experienced|practi[cs]e|background|knowledge|exposure|track record|employment|developing|programming|coding|building|designing|writing|creating|implementing|managing|administering|delivering|running|operating|maintaining|applying|including|supporting|doing|performing|leading)\b\s*)*`,
  'i',
);
const SUBJECT_END =
  /[.;:()\n]|\s[–—-]\s|,?\s+\b(?:and|plus|as well as|or)\s+(?:an?|the|at least|strong|good|excellent|solid|proven|experience|knowledge|familiarity|ability|able|you|relevant|equivalent|a?\s*(?:degree|bachelor|master))\b|\b(?:(?:is|are)\s+)?(?:required|preferred|needed|desired|desirable|mandatory|essential|a must|a plus|must|which|that|who|where|ideally|preferably|within|to join|including|such as|at an?|at the|in an? (?:fast|similar|related|relevant|professional|comparable|agile|team|high|dynamic|startup|production|busy|corporate|large|client)|for an?)\b/i;

function subjectAfter(after: string, before: string, posting: Posting): YearsSubject | null {
  const stop = SUBJECT_END.exec(after)?.index ?? after.length;
  // "5+ years (Java)".
  const bracketed = /^\s*\(([^)]*)\)/.exec(after)?.[1];
  const whole = bracketed ?? after.slice(0, stop);
  const rest = whole.slice(LEAD.exec(whole)?.[0].length ?? 0);
  const mentions = listed(rest, posting);
  if (mentions.length > 0) return skillSubject(rest, mentions, posting);
  // "Java developer with 5 years of experience" asks for years of Java.
  const words = wordsOf(rest.split(/,/)[0] ?? '');
  if (!words) return null;
  return { groups: [], words, isNamed: isNamedProduct(words, before.trim() === '' && rest === whole) };
}

const GAP = /^\s*(?:,|,?\s*(?:and\/or|and|or|&)|\/|\+)\s*(?:an?\s+|the\s+)?$/i;

/** The skills of a text up to the comma that does not continue a list of them. */
function listed(text: string, posting: Posting): SkillMention[] {
  const found: SkillMention[] = [];
  for (const mention of findSkills(text, posting)) {
    const between = text.slice(found.at(-1)?.end ?? 0, mention.start);
    if (between.includes(',') && !(found.length > 0 && GAP.test(between))) break;
    found.push(mention);
  }
  return found;
}

const skillSubject = (
  text: string,
  mentions: readonly SkillMention[],
  { language }: Posting,
): YearsSubject => ({
  groups: groupAlternatives(
    text,
    mentions.map((mention) => ({ ...mention, name: mention.skill.name, impliedBy: mention.skill.impliedBy })),
    language,
  ).map((group) => group.map(({ skill }) => skill)),
  words: '',
  isNamed: mentions.some(({ skill, start, end }) =>
    isNamedProduct(text.slice(start, end), start === 0, skill),
  ),
});

/** "Java: 5+ years", "Java experience of at least 5 years". */
function subjectBefore(before: string, posting: Posting): YearsSubject | null {
  const clause = before.slice(Math.max(before.lastIndexOf('. ') + 1, before.lastIndexOf(';') + 1));
  const mentions = findSkills(clause, posting);
  const last = mentions.at(-1);
  if (!last) return null;
  const between = clause.slice(last.end);
  if (
    !/^[\s:,(–—-]*(?:(?:development|developer|engineer|programming|programmer|coding|administration|work|experience|knowledge|expertise|skills?|background|proficiency|proficient|specialist|for|of|with|a|at least|minimum|min\.?|over|more than|total|and|up to|professional|preferably)\b\.?[\s:,(–—-]*)*$/i.test(
      between,
    )
  ) {
    return null;
  }
  let from = mentions.length - 1;
  while (from > 0 && GAP.test(clause.slice(mentions[from - 1]!.end, mentions[from]!.start))) from -= 1;
  return skillSubject(clause, mentions.slice(from), posting);
}

const GENERIC = new Set(words.generic);

/** The words of a field ("software engineering") or a position ("as a product manager"), without generic ones. */
function wordsOf(text: string): string {
  const words = tokenise(text).map((token) => token.text);
  if (words.length > 6) return '';
  return words.filter((word) => !GENERIC.has(word.toLowerCase())).join(' ');
}
