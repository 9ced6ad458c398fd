import { randomBytes } from 'node:crypto';

const KEY = /^[\w-]{43}$/;
const STORED_PATH = /^\/files\/[\w-]{43}$/;

/** A key that cannot be guessed and identifies no user: 256 random bits. */
export const createKey = (): string => randomBytes(32).toString('base64url');

export const isKey = (text: string): boolean => KEY.test(text);

/** The path of an object on our origin. The path is stored; {@link toUrl} makes the URL. */
export const pathOf = (key: string): string => `/files/${key}`;

export const keyOf = (path: string): string => path.slice('/files/'.length);

export const isStoredPath = (text: unknown): text is string =>
  typeof text === 'string' && STORED_PATH.test(text);

/** The URL of a stored path, built at each read since the origin may change. Other texts do not change. */
export const toUrl = (text: string, publicUrl: string): string =>
  isStoredPath(text) ? `${publicUrl}${text}` : text;
