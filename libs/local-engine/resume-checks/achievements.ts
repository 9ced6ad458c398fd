import { count, good, improve, note, type Checked, type CheckGroup, type Finding } from './finding.js';
import { findStatements, type Statement } from './statements.js';

const WEAK =
  /^(?:was |were |i was )?(?:responsible for|duties includ\w+|tasked with|in charge of|worked on|worked as|helped(?: to| with)?|assisted(?: in| with)?|involved in|participated in|part of|handled|dealt with|served as|tried to|in the role of)\b/i;
const STRONG = new Set(
  `accelerated achieved acquired adapted administered advised analyzed analysed applied architected arranged assembled assessed audited authored automated
   answered applied balanced booked boosted budgeted built calculated calibrated cared caught championed closed coached coded collaborated communicated compiled completed conceived
   conducted configured consolidated constructed consulted contributed converted coordinated counselled counseled crafted created cultivated cut debugged
   decreased defined delivered demonstrated deployed designed detected determined developed devised diagnosed directed documented doubled drafted drove earned
   edited educated eliminated enabled engineered enhanced ensured established evaluated examined exceeded executed expanded expedited explained facilitated
   filed fixed forecast forecasted formed formulated founded gained gathered generated grew guided halved headed identified illustrated implemented improved
   increased influenced informed initiated inspected installed instituted instructed integrated interviewed introduced invented investigated launched led
   lowered maintained managed mapped marketed maximized measured mediated mentored merged migrated minimized modeled modelled moderated modernized monitored
   motivated negotiated onboarded moved opened operated optimized optimised orchestrated ordered organized organised originated overhauled oversaw painted performed
   persuaded piloted pioneered planned prepared presented prevented priced processed procured produced programmed promoted proposed protected provided published
   purchased raised ran realized rebuilt reconciled recorded recruited redesigned reduced refactored reorganized repaired replaced reported represented
   researched resolved restored restructured reviewed revised revamped saved scaled scheduled secured selected served set shaped shipped shortened simplified
   sold solved spearheaded standardized started steered streamlined strengthened structured supervised supplied supported surpassed surveyed taught tested
   trained transformed translated treated tripled troubleshot tutored unified updated upgraded validated verified visualized welded wired won wrote administer
   assess build coordinate create deliver design develop drive ensure lead maintain manage monitor operate oversee plan prepare provide run support teach train write`.split(
    /\s+/,
  ),
);
/** A number that is a result or a size, not a date. */
const FIGURE =
  /(?:[$€£¥]\s?\d|\d+(?:[.,]\d+)*\s?(?:%|percent|[kKmM]\b|\+|x\b)|(?<![\d/.-])(?!(?:19|20)\d\d\b)\d+(?:[.,]\d+)*(?![\d/-]))/;

export function checkAchievements({ resume }: Checked): CheckGroup {
  const statements = findStatements(resume);
  if (statements.length === 0) {
    return {
      title: 'Achievements',
      findings: [
        improve(
          'No bullets or full lines were found under work experience: say in three to five of them for each position what you did and what came of it.',
        ),
      ],
    };
  }
  return {
    title: 'Achievements',
    findings: [checkFigures(statements), checkWeak(statements), checkVerbs(statements)],
  };
}

function checkFigures(statements: Statement[]): Finding {
  const without = statements.filter(({ text }) => !FIGURE.test(text));
  const measured = statements.length - without.length;
  const text = `${measured} of ${count(statements.length, 'statement')} ${measured === 1 ? 'has' : 'have'} a figure (${Math.round((100 * measured) / statements.length)}%).`;
  if (measured * 3 >= statements.length) return good(text);
  return improve(
    `${text} Where you know one, add it: how many, how much, how often, how fast. Without one so far:`,
    without.map(({ line }) => line),
  );
}

function checkWeak(statements: Statement[]): Finding {
  const weak = statements.filter(({ text }) => WEAK.test(text));
  return weak.length > 0
    ? improve(
        `${count(weak.length, 'statement')} open${weak.length === 1 ? 's' : ''} with a duty (“Responsible for …”): begin with what you did.`,
        weak.map(({ line }) => line),
      )
    : good('No statement opens with “Responsible for” or the like.');
}

function checkVerbs(statements: Statement[]): Finding {
  const other = statements.filter(({ text }) => !WEAK.test(text) && !STRONG.has(firstWord(text)));
  const strong = statements.filter(({ text }) => STRONG.has(firstWord(text))).length;
  const text = `${strong} of ${count(statements.length, 'statement')} ${strong === 1 ? 'opens' : 'open'} with an action verb.`;
  if (strong * 3 >= statements.length * 2) return good(text);
  return other.length > 0
    ? improve(
        `${text} No such verb was recognised at the start of:`,
        other.map(({ line }) => line),
      )
    : note(text);
}

const firstWord = (text: string) =>
  (/^\W*(?:[Ii]\s)?(?:\w+ly\s)?(\p{L}+)/u.exec(text)?.[1] ?? '').toLowerCase();
