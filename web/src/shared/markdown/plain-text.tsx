export function PlainText({ text }: { text: string }) {
  return (
    <p dir="auto" className="plain-text whitespace-pre-wrap wrap-anywhere">
      {text}
    </p>
  );
}
