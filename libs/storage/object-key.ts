import { randomBytes } from 'node:crypto';

const KEY = /^[\w-]{43}$/;
const STORED_PATH = /^\/files\/[\w-]{43}$/;

/** Creates a random key of 256 bits. It cannot be guessed and does not identify a user. */
export const createKey = (): string => randomBytes(32).toString('base64url');

export const isKey = (text: string): boolean => KEY.test(text);

/** Path of an object's URL. The database stores this path; {@link toUrl} converts it to a URL. */
export const pathOf = (key: string): string => `/files/${key}`;

export const keyOf = (path: string): string => path.slice('/files/'.length);

export const isStoredPath = (text: unknown): text is string =>
  typeof text === 'string' && STORED_PATH.test(text);

/** Converts a stored path to a URL when it is read, because the origin may change. Returns any other text unchanged. */
export const toUrl = (text: string, publicUrl: string): string =>
  isStoredPath(text) ? `${publicUrl}${text}` : text;
