export interface QualityDocument {
  name: string;
  /** Stands at the foot of each page, before the page's number. */
  footer: string;
  pages: { heading: string; text: string }[];
}
