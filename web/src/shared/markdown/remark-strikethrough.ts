import { cjkStrikethrough } from '#libs/contract/markdown-strikethrough.js';

/** A remark plugin for strikethrough beside Chinese, Japanese and Korean punctuation; after remark-gfm. */
export function remarkStrikethrough(this: { data: () => object }): void {
  const data: { micromarkExtensions?: unknown[] } = this.data();
  (data.micromarkExtensions ??= []).push(cjkStrikethrough());
}
