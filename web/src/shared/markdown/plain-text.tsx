import { EXCESS_MARKS } from '#libs/contract/markdown.js';

export function PlainText({ text }: { text: string }) {
  return (
    <p dir="auto" className="plain-text whitespace-pre-wrap wrap-anywhere">
      {text.replace(EXCESS_MARKS, '')}
    </p>
  );
}
