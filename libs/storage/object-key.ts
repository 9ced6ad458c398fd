import { randomBytes } from 'node:crypto';

const KEY = /^[\w-]{43}$/;
const STORED_PATH = /^\/files\/[\w-]{43}$/;

/** A key that cannot be guessed and identifies no user: 256 random bits. */
export const createKey = (): string => randomBytes(32).toString('base64url');

export const isKey = (text: string): boolean => KEY.test(text);

/** The path of an object on our origin. The path is stored; {@link toUrl} makes its address. */
export const pathOf = (key: string): string => `/files/${key}`;

/** The key in a stored path. */
export const keyOf = (path: string): string => path.slice('/files/'.length);

/** True for the path of a stored object, as {@link pathOf} makes it. */
export const isStoredPath = (text: unknown): text is string =>
  typeof text === 'string' && STORED_PATH.test(text);

/** The address of a stored path, made at each read since the origin may change. Any other text stays as it is. */
export const toUrl = (text: string, publicUrl: string): string =>
  isStoredPath(text) ? `${publicUrl}${text}` : text;
