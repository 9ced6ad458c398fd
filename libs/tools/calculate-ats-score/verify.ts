import { createQuoteFinder, type QuoteFinder } from '#libs/local-engine/text/find-quote.js';
import { findSkills, withImplying, skillNamed } from '#libs/local-engine/resume/skills/find-skills.js';
import { tokenise } from '#libs/local-engine/resume/tokens.js';
import type { Asked, ComparedSkill } from '#libs/local-engine/resume-match/comparison.js';
import type { OriginalText } from '#libs/local-engine/resume-match/original-text.js';
import { mayAddressModel } from '#libs/local-engine/resume-match/prompt-injection.js';
import type { Extraction } from './prompt.js';
import type { ResumeLanguage } from '#libs/local-engine/resume/languages/languages.js';
import { writtenIn } from '#libs/local-engine/resume-match/compare.js';
import { disclaimer } from '#libs/local-engine/resume-match/disclaimer.js';
import { isCompany, isOfEmployer } from '#libs/local-engine/resume-match/employer.js';
import { readPosting } from '#libs/local-engine/resume-match/job-clauses.js';
import { createResumeEvidence } from '#libs/local-engine/resume-match/resume-evidence.js';
import { weightOf } from '#libs/local-engine/resume-match/score.js';

const MAX_SKILLS = 40;
/** A quotation that does not name the skill can prove at most this many skills. */
const MAX_PER_QUOTE = 2;
const MAX_NAME_LENGTH = 60;

type Claim = Extraction['skills'][number];

/** Removes the skills and suggestions of a model's extraction that are not proven by quotations from the texts. */
export function verifyExtraction({
  extraction: { skills, suggestions },
  own,
  jobDescription,
}: {
  extraction: Extraction;
  own: OriginalText;
  jobDescription: string;
}): { skills: ComparedSkill[]; suggestions: string[] } {
  const inJob = createQuoteFinder([jobDescription]);
  const inResume = createQuoteFinder(own.pages);
  const evidence = createResumeEvidence(own);
  const usedQuotes = new Map<string, number>();
  const known = numbersIn(`${jobDescription}\n${own.pages.join('\n')}`);
  const isTrue = (text: string) =>
    text !== '' && Array.from(numbersIn(text)).every((number) => known.has(number)) && !mayAddressModel(text);

  const posting = readPosting(jobDescription);
  const compared = new Map<string, ComparedSkill>();
  for (const claim of skills) {
    const name = cleanName(claim.skill);
    const key = name.toLowerCase();
    const quote = inJob(claim.job_quote)?.text ?? inJob(name)?.text;
    // Ignore duplicates and skills that the job description does not mention.
    if (!name || quote === undefined || compared.has(key) || isOnlyEmployer(name)) continue;
    const resume = evidenceFor(claim, name);
    const weight = weightOf(claim.importance, countMentions(name, jobDescription));
    const feedback = claim.feedback.trim();
    compared.set(key, {
      name,
      match: resume !== null,
      importance: claim.importance,
      weight,
      credit: resume === null ? 0 : resume.isKeyword ? 0.5 : 1,
      job: { quote },
      resume: resume && { quote: resume.quote, page: resume.page },
      // The model's feedback fits only if the model's verdict was confirmed.
      feedback:
        claim.match === (resume !== null) && isTrue(feedback)
          ? feedback
          : resume
            ? `Found on page ${resume.page}.`
            : 'No words of the resume show it.',
      onlyListed: resume?.isListed ?? false,
    });
  }
  return {
    skills: Array.from(compared.values())
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MAX_SKILLS),
    suggestions: suggestions.map((text) => text.trim()).filter(isTrue),
  };

  /** True if every mention of a name is the employer's. */
  function isOnlyEmployer(name: string): boolean {
    if (!isOfEmployer(name, posting.employer)) return false;
    const mentions = findSkills(jobDescription, posting).filter(
      ({ start, end }) => jobDescription.slice(start, end).toLowerCase() === name.toLowerCase(),
    );
    return mentions.every((mention) => isCompany(jobDescription, mention, posting.employer));
  }

  /** True if the quoted words deny or wish for every skill that is asked for. */
  function isDenied(name: string, quote: string, asked: readonly Asked[]): boolean {
    const at = [name, ...asked.map((one) => ('skill' in one ? one.skill.name : one.term))]
      .map((word) => quote.toLowerCase().indexOf(word.toLowerCase()))
      .find((index) => index >= 0);
    return at !== undefined && disclaimer(quote.slice(0, at), '', own.context.language) !== null;
  }

  function evidenceFor(claim: Claim, name: string) {
    // If the resume names the skill, or one of several, the model's claim does not matter.
    const asked = askedBy(name, posting.language);
    const literal = evidence.ofAny(asked) ?? writtenIn(asked, own);
    if (literal) return literal;
    const found = claim.match && claim.resume_quote ? inResume(claim.resume_quote) : null;
    if (!found || !mayShow(name, found.text, usedQuotes)) return null;
    if (isDenied(name, found.text, asked)) return null;
    return {
      quote: found.text,
      page: found.page,
      isKeyword: isKeywords(found.text, own, inResume),
      isListed: false,
    };
  }
}

/** The skills or terms of a name such as "Java or Kotlin". */
const askedBy = (name: string, language: ResumeLanguage): Asked[] =>
  name.split(/\s+or\s+|(?<=\p{L}{2})\/(?=\p{L}{2})/u).flatMap((part, _, parts): Asked[] => {
    const whole = skillNamed(name, language);
    if (whole && parts.length > 1) return [{ skill: whole }];
    const skill = skillNamed(part, language);
    return [skill ? { skill } : { term: part }];
  });

/** True if the quotation has a word of the skill, or fewer than {@link MAX_PER_QUOTE} skills used the quotation before. */
function mayShow(name: string, quote: string, used: Map<string, number>): boolean {
  if (mayAddressModel(quote)) return false;
  if (isRelated(name, quote)) return true;
  const times = (used.get(quote) ?? 0) + 1;
  used.set(quote, times);
  return times <= MAX_PER_QUOTE && tokenise(quote).length >= 3;
}

function isRelated(name: string, quote: string): boolean {
  const skill = skillNamed(name);
  const shown = new Set(findSkills(quote).map((mention) => mention.skill));
  if (skill && withImplying(skill).some((other) => shown.has(other))) return true;
  const stems = new Set(tokenise(quote).map(({ stem }) => stem));
  return tokenise(name).some(({ stem }) => stem.length > 3 && stems.has(stem));
}

function isKeywords(quote: string, own: OriginalText, inResume: QuoteFinder): boolean {
  if (own.keywordLines.size === 0) return false;
  const page = inResume(quote)?.page ?? 0;
  return (own.pages[page - 1] ?? '')
    .split('\n')
    .some((line, index) => own.keywordLines.has(`${page}:${index + 1}`) && line.includes(quote.slice(0, 40)));
}

function countMentions(name: string, text: string): number {
  const skill = skillNamed(name);
  if (skill) return findSkills(text).filter((mention) => mention.skill === skill).length;
  return text.toLowerCase().split(name.toLowerCase()).length - 1;
}

const cleanName = (name: string) =>
  name
    .replace(/[^\p{L}\p{N}\s+#./&'’()-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .trim();

const numbersIn = (text: string) => new Set(text.match(/\d+/g));
