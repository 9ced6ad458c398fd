/**
 * The source of a pattern, with the flag `u`, for the name of a page in a mark such as `[p. iii]`: its printed label or its
 * number. Other labels could not be distinguished from the text around them, or would be Markdown.
 */
export const PAGE_NAME = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N} .:/–-]{0,28}[\p{L}\p{N}])?`;
