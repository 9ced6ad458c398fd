import { fileKinds } from '#libs/contract/limits.js';
import amara from './portraits/amara.svg';
import ines from './portraits/ines.svg';
import jonas from './portraits/jonas.svg';
import mei from './portraits/mei.svg';
import rafael from './portraits/rafael.svg';
import tomasz from './portraits/tomasz.svg';
import sample from './sample.json' with { type: 'json' };

/**
 * SAMPLE CONTENT. The texts, users and URLs in sample.json are invented. Replace all of them before customers see
 * the
 * product. The web client has no other sample content.
 */
export const { demoVideoUrl, socialLinks } = sample;

const portraits: Record<string, string> = { amara, ines, jonas, mei, rafael, tomasz };

export const testimonials = sample.testimonials.map((one) => ({ ...one, image: portraits[one.portrait] }));
export type Testimonial = (typeof testimonials)[number];

export const faq = sample.faq.map(({ question, answer }) => ({
  question,
  answer: answer.map((paragraph) =>
    paragraph.replace('{imageMax}', fileKinds.image.maxSize).replace('{pdfMax}', fileKinds.pdf.maxSize),
  ),
}));
export type FaqItem = (typeof faq)[number];
