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

/** The label of a creation type. A type that this build does not know shows its own name. */
export const typeLabel = (type: string): string => labels[type] ?? type.replaceAll('-', ' ');

const makers: Record<string, ToolName> = {
  image: 'generate-image',
  article: 'generate-article',
  'blog-title': 'generate-blog-title',
  'humanized-text': 'humanize-text',
  'resume-review': 'resume-review',
  'ats-score': 'calculate-ats-score',
};

/** The icon of the tool that makes a type. */
export function useTypeIcon(type: string): LucideIcon {
  const toolPages = useToolPages();
  return toolPages.find(({ name }) => name === makers[type])?.icon ?? FileText;
}
