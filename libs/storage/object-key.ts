import { randomBytes } from 'node:crypto';

const KEY = /^[\w-]{43}$/;
const STORED_PATH = /^\/files\/[\w-]{43}$/;

/** A key that nobody can guess and that names nobody: 256 random bits. */
export const createKey = (): string => randomBytes(32).toString('base64url');

export const isKey = (text: string): boolean => KEY.test(text);

/** Where an object is read on our origin. This is what is stored; {@link toUrl} makes an address of it. */
export const pathOf = (key: string): string => `/files/${key}`;

/** True for the path of a stored object, as {@link pathOf} makes it. */
export const isStoredPath = (text: unknown): text is string =>
  typeof text === 'string' && STORED_PATH.test(text);

/** The address of a stored path, made when it is read: the origin may change. Any other text stays as it is. */
export const toUrl = (text: string, publicUrl: string): string =>
  isStoredPath(text) ? `${publicUrl}${text}` : text;
