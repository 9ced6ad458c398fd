/** Whether it is the path of a file of this server. Any other image would disclose the reader to its server. */
export const isOwnImage = (src: string): boolean => /^\/files\/[\w-]{43}$/.test(src);
