/** Names the wrong or missing variables and what they must hold, never their values. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
