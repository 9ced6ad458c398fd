/** A model could not be fetched or is damaged. The message is for an operator and says what to do. */
export class ModelUnavailable extends Error {
  override name = 'ModelUnavailable';
}

/** A fetched file does not have the hash in the catalogue. */
export class WrongHash extends ModelUnavailable {
  override name = 'WrongHash';
}

export const wrongHash = (file: string, source: string) =>
  new WrongHash(
    `${file} from ${source} is not the file that Pressroom knows (its SHA-256 differs), so it is not used.`,
  );

const hasCode = (error: unknown, codes: string[]) =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');
export const isDiskFull = (error: unknown) => hasCode(error, ['ENOSPC', 'EDQUOT']);
const isReadOnly = (error: unknown) => hasCode(error, ['EROFS', 'EACCES', 'EPERM']);
export const isDiskError = (error: unknown) => isDiskFull(error) || isReadOnly(error);

/** Explains an error of the disk; returns any other error unchanged. */
export function explainDiskError(error: unknown, title: string, folder: string, bytes: number): unknown {
  if (isDiskFull(error)) return noRoom(title, folder, bytes, error);
  if (isReadOnly(error)) {
    return new ModelUnavailable(
      `${title} cannot be written to ${folder}: make the folder writable, or set MODELS_DIR to another one.`,
      { cause: error },
    );
  }
  return error;
}

export const noRoom = (title: string, folder: string, bytes: number, cause?: unknown) =>
  new ModelUnavailable(
    `There is no room for ${title} in ${folder}: it takes ${Math.ceil(bytes / 1e6)} MB while it is fetched. Free some space, or set MODELS_DIR to a folder on another disk.`,
    { cause },
  );
