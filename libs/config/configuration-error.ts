/**
 * The message names missing and invalid variables and what they must contain, but not their values, which may be secrets.
 */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
