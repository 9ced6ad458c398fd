import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfm } from 'micromark-extension-gfm';

/**
 * The syntax of all texts: GitHub-flavoured Markdown, with emphasis beside Chinese, Japanese and Korean punctuation, such as
 * `これは**「重要」**です`, which CommonMark does not take for emphasis. micromark-extension-cjk-friendly 2.0.2: MIT, 10 kB.
 */
export const markdownSyntax = () => [gfm(), cjkFriendlyExtension()];
