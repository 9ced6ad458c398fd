const NAME_MAX_CHARACTERS = 100;
/** Control characters, and characters that change the text direction. */
const FORBIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

const IMAGE_MAX_CHARACTERS = 500;

/** Allows letters of any script, and emoji. @returns the trimmed name @throws Error with a message for the user */
export function checkName(name: unknown, maxCharacters = NAME_MAX_CHARACTERS): string {
  const trimmed = typeof name === 'string' ? name.trim() : '';
  if (trimmed.isWellFormed() && !VISIBLE.test(trimmed)) throw new Error('Enter your name.');
  if (Array.from(trimmed).length > maxCharacters) {
    throw new Error(`Keep the name within ${maxCharacters} characters.`);
  }
  if (FORBIDDEN.test(trimmed) || !trimmed.isWellFormed()) {
    throw new Error('The name contains invalid characters.');
  }
  return trimmed;
}

/**
 * Limits the length, because every token contains the URL.
 * @returns null for no image
 * @throws Error with a message for the user
 */
export function checkImage(image: unknown): string | null {
  if (image === null || image === '') return null;
  const isAddress =
    typeof image === 'string' && image.length <= IMAGE_MAX_CHARACTERS && /^https?:\/\/\S+$/.test(image);
  if (!isAddress) {
    throw new Error(
      `The picture must be an address that starts with http:// or https://, within ${IMAGE_MAX_CHARACTERS} characters.`,
    );
  }
  return image;
}
