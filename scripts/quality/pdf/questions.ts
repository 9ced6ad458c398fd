import type { QualityDocument } from './document.ts';
import { handbook } from './handbook.ts';
import { manual } from './manual.ts';
import { report } from './report.ts';

export interface Question {
  document: QualityDocument;
  question: string;
  /** The page that has the answer; null where the document has none. */
  page: number | null;
  /** What was asked before, for a question that leans on it. */
  before?: string;
}

const about = (document: QualityDocument, questions: [string, number | null, string?][]): Question[] =>
  questions.map(([question, page, before]) => ({ document, question, page, before }));

/** Asked as users ask, often in other words than the document's. */
export const questions: Question[] = [
  ...about(handbook, [
    ['How many hours do I have to work per week?', 2],
    ['Can I swap my shift with a colleague?', 2],
    ['How is overtime compensated?', 2],
    ['How many vacation days do I get, and how many holidays once I am 50?', 3],
    ['What happens to holidays that I did not use this year?', 3],
    ['When do I need a doctor’s note?', 4],
    ['May I work from a different country?', 5],
    ['How much does the company pay for electricity at home?', 5],
    ['What is the mileage rate when I take my private car?', 6],
    ['By when must expenses be sent in?', 6],
    ['Who is the safety officer?', 7],
    ['What should be done about a mercury spill?', 7],
    ['How long is the notice period during the trial period?', 8],
    ['And after that?', 8, 'How long is the notice period during the trial period?'],
    ['Can I work for a competitor after leaving?', 8],
    ['Is there a dress code for customer visits?', null],
    ['How large is the annual bonus?', null],
    ['Does the company offer a pension scheme or stock options?', null],
    ['Are dogs allowed in the office?', null],
    ['How do I apply for a parking permit?', null],
  ]),
  ...about(report, [
    ['How much revenue did the cooperative make in 2024?', 2],
    ['Why did the profit decline?', 2],
    ['What dividend is proposed?', 2],
    ['Which shops were opened this year?', 3],
    ['How much unsold bread was there?', 3],
    ['What did the new oven cost?', 4],
    ['What was the problem with the sourdough?', 4],
    ['Which varieties of rye were tested?', 5],
    ['What share of the grain is organic?', 5],
    ['How many apprentices are there?', 6],
    ['Who chairs the works council?', 6],
    ['How much of the electricity came from solar panels?', 7],
    ['How far did emissions fall?', 7],
    ['What would a share cost for customers?', 8],
    ['When does the general assembly take place?', 8],
    ['Who audits the accounts?', null],
    ['What was the marketing budget for television advertising?', null],
    ['How many vegan pastries were sold online?', null],
    ['Does the report mention a lawsuit?', null],
    ['What is the CEO’s email address?', null],
  ]),
  ...about(manual, [
    ['Where do I find the serial number?', 1],
    ['Which refrigerant is in it, and is it flammable?', 2],
    ['What pressure should the gauge show at the first start?', 3],
    ['Why does the compressor not start immediately?', 3],
    ['Should I lower the temperature at night?', 4],
    ['How hot is the water heated against legionella?', 4],
    ['How does it work together with a solar roof?', 5],
    ['How often must the filter be cleaned?', 6],
    ['How do I remove ice from the unit?', 6],
    ['What does code E7 mean?', 7],
    ['And E9?', 7, 'What does code E7 mean?'],
    ['It is too loud at night, what can I do?', 7],
    ['How long is the guarantee on the compressor?', 8],
    ['What is the phone number of the service line?', 8],
    ['How heavy is the outdoor unit?', 8],
    ['How do I connect it to my smartphone over Bluetooth?', null],
    ['Can it cool the rooms in summer?', null],
    ['What is the purchase price?', null],
    ['Is a subsidy from the government available?', null],
    ['Which colour options exist?', null],
  ]),
];
