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
