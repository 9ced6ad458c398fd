import { mathFromMarkdown, mathSyntax } from '#libs/contract/markdown-math.js';

/** The extensions that remark-parse reads from the data of its processor. */
interface ParserData {
  micromarkExtensions?: unknown[];
  fromMarkdownExtensions?: unknown[];
}

/** A remark plugin for formulas. */
export function remarkFormulas(this: { data: () => object }): void {
  const data: ParserData = this.data();
  (data.micromarkExtensions ??= []).push(mathSyntax());
  (data.fromMarkdownExtensions ??= []).push(mathFromMarkdown());
}
