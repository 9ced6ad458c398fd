import { editableIn } from '#libs/local-engine/humanizer/running-text.js';
import { isEnglishResume } from '#libs/local-engine/resume/languages/detect.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import { findSections, sectionKind, type SectionKind } from '#libs/local-engine/resume/sections.js';
import { findDateRanges } from '#libs/local-engine/resume/date-ranges.js';
import { textBlocks, type TextBlock } from '#libs/local-engine/resume-checks/text-blocks.js';
import { isEnglish } from '#libs/local-engine/text/language.js';
import { proseOf } from '#libs/local-engine/text/prose.js';
import type { HumanizeOutput } from '#libs/tools/humanize-text/contract.js';
import type { ResumeReview } from '#libs/tools/resume-review/contract.js';
import { reliableFaults, withoutEndlessWords } from './faults.js';
import type { FoundFault } from './harper.js';

// The entry of the proofreading thread (see thread-pool.ts): each exported function is a task.

/** The most characters that are checked: about 6,000 words, four seconds of computing. */
const MOST_CHARACTERS = 40_000;

type TextProofreading = HumanizeOutput['proofreading'];
type ResumeProofreading = ResumeReview['proofreading'];

/** Loads the checker for later tasks. */
export async function loadChecker(): Promise<void> {
  // The dictionary is loaded with the first word.
  await findFaults('All is well.', 'plaintext');
}

/** The faults in the running text of a Markdown text. */
export async function proofreadText({ text }: { text: string }): Promise<TextProofreading> {
  const source = text.slice(0, MOST_CHARACTERS);
  const found = await faultsOf(source);
  const faults = found?.map(({ start, end: _end, ...fault }) => ({
    ...fault,
    line: source.slice(0, start).split('\n').length,
  }));
  return faults ? { faults, isWhole: source.length === text.length } : null;
}

/** Replaces each fault by its best suggestion; null if the checker does not load. */
export async function correctText({ text }: { text: string }) {
  const found = await faultsOf(text);
  if (!found) return null;
  let at = 0;
  let corrected = '';
  let corrections = 0;
  for (const { start, end, suggestions } of found) {
    const [best] = suggestions;
    if (best === undefined || start < at) continue;
    corrected += text.slice(at, start) + best;
    at = end;
    corrections += 1;
  }
  return { text: corrected + text.slice(at), corrections };
}

/** The faults in the running text, in order. Paragraphs in other languages, links, code and quotations are not checked. */
async function faultsOf(source: string): Promise<ReturnType<typeof reliableFaults> | null> {
  const ranges = proseOf(source).map(({ start, end }) => {
    const paragraph = source.slice(start, end);
    return {
      start,
      end,
      isEditable: editableIn(paragraph),
      isForeign: isLong(paragraph) && !isEnglish(paragraph),
    };
  });
  if (ranges.every(({ isForeign }) => isForeign)) return [];
  const found = await findFaults(source, 'markdown');
  if (!found) return null;
  return reliableFaults(source, found).filter(({ start, end }) => {
    const range = ranges.find((one) => one.start <= start && end <= one.end);
    return (
      range !== undefined &&
      !range.isForeign &&
      range.isEditable({ start: start - range.start, end: end - range.start, text: '' })
    );
  });
}

/** The faults in the sentences and bullets of a resume. Titles, dates, lists of skills and names are not checked. */
export async function proofreadResume({ resume }: { resume: Resume }): Promise<ResumeProofreading> {
  const sections = findSections(resume.lines);
  const sectionOf = new Map(
    sections.flatMap((section) => section.lines.map((line) => [line, section] as const)),
  );
  const isInEnglish = isEnglishResume(resume.text);
  const blocks = textBlocks(resume.lines).filter(
    (block) => isProse(block, sectionOf.get(block.lineAt(0))?.kind) && (isInEnglish || isLong(block.text)),
  );
  let text = '';
  const starts: number[] = [];
  let isWhole = true;
  for (const block of blocks) {
    if (text.length + block.text.length > MOST_CHARACTERS) {
      isWhole = false;
      break;
    }
    starts.push(text.length);
    text += `${block.text.replaceAll('\n', ' ')}\n\n`;
  }
  const found = await findFaults(text, 'plaintext');
  if (!found) return null;
  const faults = reliableFaults(text, found).map(({ start, end: _end, ...fault }) => {
    const index = starts.findLastIndex((at) => at <= start);
    const line = blocks[index]!.lineAt(start - starts[index]!);
    return { ...fault, page: line.page, line: line.line, section: sectionOf.get(line)?.heading.text ?? null };
  });
  return { faults, isWhole };
}

const UNCHECKED_SECTIONS: ReadonlySet<SectionKind> = new Set([
  'skills',
  'languages',
  'contact',
  'references',
  'publications',
  'memberships',
  'certifications',
  'education',
]);
const FEWEST_WORDS = 5;

function isProse({ text, isBullet, lineAt }: TextBlock, section: SectionKind | undefined): boolean {
  if (section && UNCHECKED_SECTIONS.has(section) && !isBullet) return false;
  if (section === 'skills' || section === 'contact') return false;
  const words = text.split(/\s+/);
  if (words.length < FEWEST_WORDS || sectionKind(text) || /@|https?:|\|/.test(text)) return false;
  if (!isBullet && findDateRanges([lineAt(0)]).length > 0) return false;
  if (isLong(text) && !isEnglish(text)) return false;
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return capitals * 2 <= words.length + 1;
}

const isLong = (text: string) => text.split(/\s+/).length >= 25;

async function findFaults(source: string, language: 'plaintext' | 'markdown'): Promise<FoundFault[] | null> {
  const text = withoutEndlessWords(source);
  if (text.trim() === '') return [];
  try {
    const harper = await import('./harper.js');
    return await harper.findFaults(text, language);
  } catch {
    // Its WebAssembly is missing, or does not load on this machine.
    return null;
  }
}
