/**
 * SAMPLE CONTENT. These texts, users, prices and addresses are invented. Replace all of them before the product is shown
 * to customers. Nothing else in the web client is sample content.
 */
import { fileKinds } from '#libs/contract/limits.js';
import amara from './portraits/amara.svg';
import ines from './portraits/ines.svg';
import jonas from './portraits/jonas.svg';
import mei from './portraits/mei.svg';
import rafael from './portraits/rafael.svg';
import tomasz from './portraits/tomasz.svg';

/** The target of "Watch demo" while `DEMO_VIDEO_URL` is not set: a free film. */
export const demoVideoUrl = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ';

export interface Testimonial {
  image: string;
  name: string;
  title: string;
  content: string;
  /** 1 to 5. */
  rating: number;
  /** The tool that the text is about. */
  link: { label: string; path: string };
}

export const testimonials: Testimonial[] = [
  {
    image: ines,
    name: 'Inês Carvalho',
    title: 'Food writer, Porto',
    content:
      'I drop a topic before the school run and read a draft at the gate. Half of it survives my pen, which is more than I can say of most first drafts, my own included.',
    rating: 5,
    link: { label: 'AI Content Generator', path: '/ai/write-article' },
  },
  {
    image: tomasz,
    name: 'Tomasz Wilk',
    title: 'Backend developer',
    content:
      'It told me which four words of the posting my resume never said. I had done all four. Two interviews that week.',
    rating: 5,
    link: { label: 'ATS Score Calculator', path: '/ai/calculate-ats-score' },
  },
  {
    image: amara,
    name: 'Amara Osei',
    title: 'Runs a ceramics shop',
    content:
      'Sixty product photos, one kitchen table behind all of them. Gone in an evening, and the glaze edges are clean.',
    rating: 5,
    link: { label: 'AI Background Eraser', path: '/ai/remove-background' },
  },
  {
    image: jonas,
    name: 'Jonas Lindqvist',
    title: 'Newsletter editor',
    content:
      'Ten titles, eight of them bad, one good, one I would not have found alone. That is exactly the ratio I pay people for.',
    rating: 4,
    link: { label: 'Title Suggester', path: '/ai/blog-titles' },
  },
  {
    image: mei,
    name: 'Mei Tanaka',
    title: 'Policy researcher',
    content:
      'I ask a ninety-page report a plain question and get the answer with the page it stands on. Then I check the page. It has been right.',
    rating: 5,
    link: { label: 'Chat With PDF', path: '/ai/chat-with-pdf' },
  },
  {
    image: rafael,
    name: 'Rafael Duarte',
    title: 'Marketing lead',
    content:
      'My laptop died in the middle of a run. I opened my phone and the article was there, finished. Nobody had to tell me it would be.',
    rating: 5,
    link: { label: 'AI Content Generator', path: '/ai/write-article' },
  },
];

export interface FaqItem {
  question: string;
  /** Each line is a paragraph. */
  answer: string;
}

export const faq: FaqItem[] = [
  {
    question: 'What is a credit?',
    answer:
      'One run of a text tool costs one credit. The free plan has 30 of them every calendar month; they do not roll over.\nA run that fails or that you cancel costs nothing: its credit comes back at once.',
  },
  {
    question: 'What does the premium plan add?',
    answer:
      'The image generator, background removal, object removal and chat with PDFs, without counting credits.\nPremium work also goes to the front of the queue, without keeping anybody else waiting for ever.',
  },
  {
    question: 'Can I close the page while something is being made?',
    answer:
      'Yes. Work runs on the server, not in the page.\nCome back on this or any other device, and it is further along, or done.',
  },
  {
    question: 'Who owns what I make?',
    answer:
      'You do. What you write, upload and receive is yours, and private until you publish an image yourself.\nA published image can be taken back at any time.',
  },
  {
    question: 'Which files can I use?',
    answer: `PNG and JPG images of up to ${fileKinds.image.maxSize}, and PDF files of up to ${fileKinds.pdf.maxSize}.\nA PDF has to hold text: a scan without a text layer cannot be read, and is not charged.`,
  },
  {
    question: 'What does “Made on this server” mean on a result?',
    answer:
      'That nothing was sent to an AI service. Pictures are cut out and repaired, and passages of a PDF are found, by models that run here, which the result names; texts are worked on by rules.\nWith a service connected, the same tools write, draw and read at full strength.',
  },
];

/** Prices per month for local accounts; Clerk shows its own. */
export const prices = { free: '$0', premium: '$12' } as const;

export const socialLinks = {
  X: 'https://x.com/',
  Instagram: 'https://www.instagram.com/',
  YouTube: 'https://www.youtube.com/',
  Bluesky: 'https://bsky.app/',
  GitHub: 'https://github.com/',
} as const;
