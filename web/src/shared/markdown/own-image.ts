/** Whether the image is a file of this server. Loading other images would disclose the reader to their server. */
export const isOwnImage = (src: string): boolean => /^\/files\/[\w-]{43}$/.test(src);
