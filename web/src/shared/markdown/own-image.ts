/**
 * True if the image is a file of this server. Don't load others, which would disclose the reader's IP address to their
 * server.
 */
export const isOwnImage = (src: string): boolean => /^\/files\/[\w-]{43}$/.test(src);
