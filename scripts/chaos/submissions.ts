import type { Call } from './chaos-user.ts';
import type { Files } from './files.ts';

const PATHS = {
  article: 'generate-article',
  titles: 'generate-blog-title',
  humanize: 'humanize-text',
  image: 'generate-image',
  group: 'generate-image',
  background: 'remove-image-background',
  object: 'remove-image-object',
  review: 'resume-review',
  score: 'calculate-ats-score',
  rewrite: 'rewrite-text',
  bullets: 'tailored-bullets',
  letter: 'cover-letter',
  chat: 'chat-with-pdf',
};
export type Submission = keyof typeof PATHS;

export const isSubmission = (name: string): name is Submission => name in PATHS;

export const submissionPath = (tool: Submission) => `/api/ai/${PATHS[tool]}`;

interface Content {
  /** A unique word. */
  marker: string;
  /** A text with the marker. */
  text: string;
  /** Chooses an option of the tool: from 0 to below 1. */
  share: number;
}

export function submissionBody(files: Files, tool: Submission, { marker, text, share }: Content): Call {
  switch (tool) {
    case 'humanize':
      return {
        json: {
          text: `${text} It is important to note that ${marker} utilized tables. Furthermore, it ended.`,
        },
      };
    case 'rewrite':
      return {
        json: { text: `${text} It is a very plain sentence.`, action: share < 0.5 ? 'simpler' : 'fix' },
      };
    case 'image':
      return { json: { prompt: text, publish: share < 0.3 } };
    case 'group':
      return { json: { prompt: text, count: groupSize(share) } };
    case 'background':
      return { form: files.form({ image: files.image(`${marker}.png`) }) };
    case 'object':
      return { form: files.form({ image: files.image(`${marker}.png`), object: 'ball' }) };
    case 'review':
      return { form: files.form({ resume: files.resume(`${marker}.pdf`) }) };
    case 'score':
    case 'bullets':
    case 'letter':
      return { form: files.form({ resume: files.resume(`${marker}.pdf`), jobDescription: text }) };
    case 'chat':
      return { form: files.form({ pdf: files.resume(`${marker}.pdf`), message: text, chatHistory: '[]' }) };
    default:
      return { json: { prompt: text } };
  }
}

/** The number of pictures in a request for several. */
const groupSize = (share: number) => (share < 0.5 ? 2 : 3);
