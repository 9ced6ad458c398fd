import { FileText, type LucideIcon } from 'lucide-react';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useToolPages } from '../../shared/tools/tool-pages';

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

const makers: Record<string, ToolName> = {
  image: 'generate-image',
  article: 'generate-article',
  'blog-title': 'generate-blog-title',
  'humanized-text': 'humanize-text',
  'resume-review': 'resume-review',
  'ats-score': 'calculate-ats-score',
};

/** The sign of a creation's type: that of the tool that makes it. */
export function useTypeIcon(type: string): LucideIcon {
  const toolPages = useToolPages();
  return toolPages.find(({ name }) => name === makers[type])?.icon ?? FileText;
}
