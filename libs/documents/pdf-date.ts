const PDF_DATE =
  /^(?:D:)?(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(\d\d)?)?(?:(Z)|([+-])(\d\d)(?:'?(\d\d))?)?)?)?)?/;

/**
 * Reads a date of a PDF, such as `D:20261125061500+01'00'` (ISO 32000-2, 7.9.4).
 * @returns the date in ISO 8601, with time and offset as far as the file states them; undefined if it is no date
 */
export function readPdfDate(text: unknown): string | undefined {
  const parts = typeof text === 'string' ? PDF_DATE.exec(text.trim()) : null;
  if (!parts) return undefined;
  const [, year, month, day, hour, minute = '00', second = '00', utc, sign, hours, minutes = '00'] = parts;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  const offset = utc ?? (sign && hours ? `${sign}${hours}:${minutes}` : '');
  const iso = hour === undefined ? date : `${date}T${hour}:${minute}:${second}${offset}`;
  return Number.isNaN(Date.parse(iso)) ? undefined : iso;
}
