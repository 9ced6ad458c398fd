import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import type { ResumeLine } from './resume.js';
import { findSections, type SectionKind } from './sections.js';

/** Academic levels from the lowest; a higher one includes those below. */
export const degreeLevels = ['associate', 'bachelor’s', 'master’s', 'doctorate'] as const;

/** A degree that a text names. Some count as either of two levels, such as a Diplom or a Laurea. */
export interface DegreeMention {
  /** Index in {@link degreeLevels}. */
  lowest: number;
  highest: number;
  start: number;
}

const ASSOCIATE = 0;
const BACHELOR = 1;
const MASTER = 2;
const DOCTORATE = 3;

const L = String.raw`(?<![\p{L}\p{N}])`;
const R = String.raw`(?![\p{L}\p{N}])`;
const word = (source: string, flags = 'giu') => new RegExp(`${L}(?:${source})${R}`, flags);

/** Degrees whose words mean nothing else. */
const clear: [lowest: number, highest: number, words: RegExp][] = [
  [
    ASSOCIATE,
    ASSOCIATE,
    word(
      String.raw`associate(?:['’]?s)?\s+degree|associate\s+of\s+(?:arts|science|applied)|associate['’]s(?=\s+(?:in|degree)|\s*[,(])|A\.\s?A\.\s?S\.?|foundation degree`,
    ),
  ],
  [
    BACHELOR,
    BACHELOR,
    word(
      String.raw`bachelors?(?:['’]s?)?|baccalaureate|undergraduate degree|college degree|university degree|degree[- ]level|bacharelad[oa]|bacharel|bachillerato universitario|kandidatexamen|(?:filosofie|teknologie|medicine|politices)\s+kandidat|fil\.\s?kand\.?|bachelorstudium|licencjat|bakalář|laurea\s+(?:triennale|di\s+primo\s+livello)|licence\s+(?:professionnelle|en|de|ès|d['’]|(?:informatique|économie|éco-gestion|gestion|droit|mathématiques|physique|chimie|biologie|psychologie|lettres|histoire|géographie|philosophie|sociologie|langues|anglais|sciences|LEA|STAPS|AES)(?![\p{L}]))|licence(?=\s*[(,]?\s*(?:\d{4}|bac\s*\+\s*3))|(?:título\s+de\s+)?grado\s+en`,
    ),
  ],
  [
    BACHELOR,
    BACHELOR,
    word(
      String.raw`B\.\s?(?:A|Sc?|Eng|E|Ed|Com|Comm|Tech|Arch|Mus|Pharm|F\.?\s?A|B\.?\s?A|N|Des|Soc\.?\s?Sc|Th|S\.?\s?N|S\.?\s?W)\.?(?=[\s,;:)(/–—-]|$)|LL\.\s?B\.?|A\.B\.|Sc\.B\.|S\.B\.`,
      'gu',
    ),
  ],
  [
    BACHELOR,
    BACHELOR,
    word(
      String.raw`B(?:Sc|Eng|Ed|Com|Comm|Tech|BA|SN|FA|SW|Arch|Mus|Pharm|Des|Th|CS|CA|AS|Acc|Nurs|SocSc)|LLB|BSc?\s?\(?Hons\)?|BA\s?\(?Hons\)?`,
      'gu',
    ),
  ],
  [
    MASTER,
    MASTER,
    word(
      String.raw`masters?\s+(?:degree|of|in|thesis)|master['’]s?|masters['’]|masters(?=\s*[,(\-–—/]|\s*$)|graduate degree|postgraduate degree|advanced degree|magistr[aeiy]|magister(?:\s?artium|examen|studium|abschluss)?|mgr|mag\.\s?(?:a\.|phil|rer|iur|art|theol|pharm|arch|des|\(fh\))|maîtrise|mastère|máster|maestría|mestrado|mestre|civilingenjör|sivilingeniør|laurea\s+(?:magistrale|specialistica|a\s+ciclo\s+unico)|diplôme\s+d['’]ingénieur|ingénieur\s+diplômée?|lizenziat|lic\.\s?(?:phil|oec|iur|rer)|(?:erstes|zweites|erste|zweite|1\.|2\.|I\.|II\.)\s+(?:juristisches?\s+)?staats(?:examen|prüfung)|staatsexamen|cand\.\s?(?:mag|scient|polyt|merc|jur|med)|drs|doctorandus|kandidatus|magistr|magisterk[ai]`,
    ),
  ],
  [
    MASTER,
    MASTER,
    word(
      String.raw`M\.\s?(?:A|Sc?|Eng|Ed|Com|Tech|Arch|Mus|Phil|Res|F\.?\s?A|B\.?\s?A|P\.?\s?H|P\.?\s?A|P\.?\s?P|S\.?\s?N|S\.?\s?W|Div|Pharm|Des|Th|Stat)\.?(?=[\s,;:)(/–—-]|$)|LL\.\s?M\.?|S\.M\.|A\.M\.(?=\s*[,(]|\s+in)`,
      'gu',
    ),
  ],
  [
    MASTER,
    MASTER,
    word(
      String.raw`M(?:Sc|Eng|Ed|BA|SN|FA|PH|PA|PP|Phil|Res|Tech|Com|Arch|Mus|Pharm|Des|Sci|Math|Phys|Chem|SW|LIS|LS|Div|Stat|BI|HA|IM|EM)|EMBA|LLM|DEA|DESS`,
      'gu',
    ),
  ],
  // A Diplom of a university is a master's, that of a Fachhochschule a bachelor's.
  [BACHELOR, BACHELOR, word(String.raw`dipl(?:om)?\.?[- ]?\p{L}*\.?[- ]?\p{L}*\.?\s?\(FH\)`)],
  [
    BACHELOR,
    MASTER,
    word(
      String.raw`diplom(?:[- ]?(?:ingenieur|kauf|informatik|mathematik|physik|chemik|biolog|psycholog|betriebswirt|volkswirt|ökonom|pädagog|designer|geograph|geolog|jurist|soziolog|übersetzer|sozial|wirtschafts|agrar|architekt|politolog|journalist|studium|prüfung|grad)\p{L}*)?|dipl\.[-– ]?\p{L}+\.?|inżynier|(?<!(?:filosofie|teknologie|medicine|politices)\s)kandidat|ingenieur(?=\s*\()|laurea|licenciatura|licenciad[oa]|ingeniero|ingeniera|titulación superior|hochschulabschluss|hochschulstudium|(?:abgeschlossenes|universitäts)[- ]?studium|fachhochschulstudium`,
    ),
  ],
  [
    DOCTORATE,
    DOCTORATE,
    word(
      String.raw`ph\.?\s?ds?|doctorates?|doctoral(?:\s+(?:degree|studies|thesis|dissertation))?|doctor\s+of|doktor(?:at|grad|titel)?|promotion\s+(?:zum|zur|in|an)|promoviert|doctorado|doutorado|dottorato|doctorat|doktorsexamen|habilitation|dr\.?[-–\s]?(?:rer|phil|med|ing|jur|iur|oec|sc|techn|h\.\s?c)\b\.?`,
    ),
  ],
  [
    DOCTORATE,
    DOCTORATE,
    word(
      String.raw`D\.?Phil\.?|Ed\.?D\.?|Psy\.?D\.?|Pharm\.?D\.?|D\.?B\.?A\.|D\.?D\.?S\.?|J\.D\.|M\.D\.|D\.V\.M\.|DVM|Sc\.?D\.|D\.Sc\.?|DSc|Th\.?D\.`,
      'gu',
    ),
  ],
];

/** Initials that mean other things too: "Boston, MA", "MS Office", "Baltimore, MD". */
const initials: [number, RegExp][] = [
  [ASSOCIATE, word('A[AS]|AAS', 'gu')],
  [BACHELOR, word('B[AES]', 'gu')],
  [MASTER, word('M[AES]|MCA', 'gu')],
  [DOCTORATE, word('MD|JD|DBA', 'gu')],
];

/** The degrees that a text names. @param isEducation whether the text is about education, where initials are degrees */
export function findDegrees(text: string, isEducation: boolean): DegreeMention[] {
  const found: DegreeMention[] = [];
  for (const [lowest, highest, words] of clear) {
    for (const { index, 0: match } of text.matchAll(words)) {
      if (!isOtherMaster(text, index, match)) found.push({ lowest, highest, start: index });
    }
  }
  for (const [level, words] of initials) {
    for (const { index, 0: match } of text.matchAll(words)) {
      if (isDegree(text, index, index + match.length, isEducation))
        found.push({ lowest: level, highest: level, start: index });
    }
  }
  // "Diplom-Ingenieur (FH)" is no university Diplom.
  const limited = found.filter(({ lowest, highest }) => lowest === highest);
  return found.filter(
    (mention) =>
      mention.lowest === mention.highest || !limited.some(({ start }) => Math.abs(start - mention.start) < 3),
  );
}

/** "Scrum Master's", "master's hand": a master of something else. */
const isOtherMaster = (text: string, at: number, match: string) =>
  /^master/i.test(match) &&
  /\b(?:scrum|web|post|quiz|station|choir|concert|harbou?r|toast|head|grand|past)[- ]?$/i.test(
    text.slice(0, at),
  );

function isDegree(text: string, start: number, end: number, isEducation: boolean): boolean {
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (
    /^\s*(?:office|word|excel|access|teams|sql|windows|project|visio|powerpoint|outlook|exchange|dynamics|azure|[Oo]ffice)\b/i.test(
      after,
    )
  )
    return false;
  if (/^\s*\d{5}\b/.test(after)) return false;
  // "BA/BS", "BS or MS degree", "MA in History", "BA (Hons)".
  if (
    /^\s*(?:\/|or|and|,)\s*(?:B\.?[AS]|M\.?[AS]|BSc|MSc|Ph\.?D|MBA|M\.?D|associate|bachelor|master|equivalent)/i.test(
      after,
    )
  )
    return true;
  if (/(?:B\.?[AS]|M\.?[AS]|BSc|MSc|Ph\.?D|MBA)\.?\s*(?:\/|or|and|,)\s*$/i.test(before)) return true;
  if (
    /^\s*(?:degree|in\s+(?:\p{Lu}|an?\b|the\b|related|any)|\(hons|hons\b|honou?rs)/iu.test(after) &&
    !/\b(?:in|near)\s+$/i.test(before)
  )
    return true;
  const town = /([\p{L}.'’-]+),\s*$/u.exec(before)?.[1];
  if (town !== undefined) {
    // "History, MA" names a subject, "Boston, MA" a place, "Jane Doe, MA" a person.
    if (isEducation) return isEnglishWord(town.toLowerCase()) || /['’]/.test(town);
    return false;
  }
  return (
    isEducation &&
    (/(?:^|[|•·(–—:-]\s*|\d{4}\s+)$/.test(before) || /^\s*(?:[,(–—:-]|of\b|\p{Lu}\p{Ll}+)/u.test(after))
  );
}

/** Sections that name other people's degrees, or none. */
const OTHER: ReadonlySet<SectionKind> = new Set([
  'experience',
  'projects',
  'publications',
  'references',
  'volunteering',
]);
/** The lines with name and title, at the top. */
const TOP = 3;
const UNFINISHED =
  /\b(?:expected|anticipated|in progress|candidate|ongoing|pursuing|studying (?:for|towards?)|working towards?|enrolled|not completed|incomplete|unfinished|discontinued|dropped out|without (?:a )?degree|abandoned|present|current(?:ly)?|laufend|abgebrochen|en cours)\b/i;

export interface ResumeDegree extends DegreeMention {
  line: ResumeLine;
  isUnfinished: boolean;
}

/** The degrees of a resume's owner. Those of others, in the work history or among the references, do not count. */
export function findResumeDegrees(lines: readonly ResumeLine[], now: Date): ResumeDegree[] {
  const sections = findSections(lines);
  const education = new Set(
    sections.filter(({ kind }) => kind === 'education').flatMap((section) => section.lines),
  );
  const other = new Set(sections.filter(({ kind }) => OTHER.has(kind)).flatMap((section) => section.lines));
  const hasEducation = education.size > 0;
  return lines.flatMap((line, index) => {
    const isTop = index < TOP;
    const isBullet = /^[•·▪◦●○■*–—-]\s/u.test(line.text);
    if (!isTop && other.has(line) && (hasEducation || isBullet || isReference(sections, line))) return [];
    const mentions = findDegrees(line.text, education.has(line) || (!hasEducation && !isBullet && !isTop));
    if (isTop && mentions.length === 0) mentions.push(...titlesOf(line.text));
    const isUnfinished = UNFINISHED.test(line.text) && !isPast(line.text, now);
    return mentions.map((mention) => ({ ...mention, line, isUnfinished }));
  });
}

const isReference = (sections: ReturnType<typeof findSections>, line: ResumeLine) =>
  sections.some((section) => section.kind === 'references' && section.lines.includes(line));

/** "Expected May 2019" was long ago. */
function isPast(text: string, now: Date): boolean {
  const year = Number(/\b(?:expected|anticipated)\b\D{0,20}((?:19|20)\d\d)/i.exec(text)?.[1]);
  return year > 0 && year < now.getUTCFullYear();
}

/** Titles before and after a name: "Dr. Jane Doe", "Jane Doe, MA". */
function titlesOf(text: string): DegreeMention[] {
  const title = /^\s*(?:(?:prof|univ)\.?[-\s]*)*(dr|mag|dipl)\.\s?(?:\p{Lu}|\()/iu
    .exec(text)?.[1]
    ?.toLowerCase();
  if (title) {
    const lowest = title === 'dr' ? DOCTORATE : title === 'mag' ? MASTER : BACHELOR;
    return [{ lowest, highest: Math.max(lowest, MASTER), start: 0 }];
  }
  const after =
    /^\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]*){1,3},\s*(BA|BS|MA|MS|MD|JD)\s*(?:$|[|,•·–—-])/u.exec(text);
  if (!after || / \d{5}/.test(text)) return [];
  const level = { B: BACHELOR, M: MASTER, J: DOCTORATE }[after[1]!.charAt(0)] ?? BACHELOR;
  return [
    {
      lowest: after[1] === 'MD' ? DOCTORATE : level,
      highest: after[1] === 'MD' ? DOCTORATE : level,
      start: 0,
    },
  ];
}
