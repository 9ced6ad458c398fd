import { gfmFromMarkdown } from 'mdast-util-gfm';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfm } from 'micromark-extension-gfm';
import { mathFromMarkdown, mathSyntax } from './markdown-math.js';
import { cjkStrikethrough } from './markdown-strikethrough.js';

/**
 * The syntax of all texts: GitHub-flavoured Markdown with formulas, and with emphasis and strikethrough beside Chinese, Japanese and Korean
 * punctuation, such as `これは**「重要」**です`, which CommonMark does not take for emphasis.
 * micromark-extension-cjk-friendly 2.0.2: MIT, 10 kB.
 */
export const markdownSyntax = () => [gfm(), cjkFriendlyExtension(), cjkStrikethrough(), mathSyntax()];

/** The extensions of mdast-util-from-markdown that read {@link markdownSyntax} into a syntax tree. */
export const markdownTree = () => [gfmFromMarkdown(), mathFromMarkdown()];
