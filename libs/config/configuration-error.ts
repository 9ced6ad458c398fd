/** Says which variable is wrong or missing and what it must hold, and never its value. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
