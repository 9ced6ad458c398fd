import { Feather, FileText, Gauge, Heading, Image, PenLine, type LucideIcon } from 'lucide-react';

const labels: Record<string, string> = {
  image: 'Image',
  article: 'Article',
  'blog-title': 'Titles',
  'humanized-text': 'Humanized text',
  'resume-review': 'Resume review',
  'ats-score': 'ATS score',
};

/** A creation's type in words; one that is new here by its own name. */
export const typeLabel = (type: string): string => labels[type] ?? type.replaceAll('-', ' ');

const icons: Record<string, LucideIcon> = {
  image: Image,
  article: PenLine,
  'blog-title': Heading,
  'humanized-text': Feather,
  'ats-score': Gauge,
};

/** The sign of a creation's type: that of the tool that makes it. */
export const typeIcon = (type: string): LucideIcon => icons[type] ?? FileText;
