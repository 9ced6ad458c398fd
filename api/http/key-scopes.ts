import type { ApiKeyGrant, Caller } from '#libs/accounts/identity.js';
import type { KeyScope } from '#libs/contract/api-keys.js';
import { toolGroups } from '#libs/contract/define-tool.js';
import { AppError } from '#libs/contract/errors.js';
import { tools, type ToolName } from '#libs/tools/catalogue.js';

/**
 * @param scope `tool` requires any group of tools, since the handler checks the one of its tool; null or undefined refuses
 *   all keys
 * @throws AppError FORBIDDEN or SCOPE_REQUIRED
 */
export function requireScope({ scopes }: ApiKeyGrant, scope: KeyScope | 'tool' | null | undefined): void {
  if (!scope)
    throw new AppError(
      'FORBIDDEN',
      'An API key cannot be used for accounts, plans, keys or administration. Sign in on the page instead.',
    );
  const isAllowed =
    scope === 'tool' ? toolGroups.some((group) => scopes.includes(group)) : scopes.includes(scope);
  if (!isAllowed) throw scopeRequired(scope === 'tool' ? toolGroups : [scope]);
}

/** Refuses an API key that may not run the tool. @throws AppError SCOPE_REQUIRED */
export function requireToolScope({ apiKey }: Caller, tool: ToolName): void {
  const { group } = tools[tool];
  if (apiKey && !apiKey.scopes.includes(group)) throw scopeRequired([group]);
}

const scopeRequired = (scopes: readonly KeyScope[]) =>
  new AppError(
    'SCOPE_REQUIRED',
    `This API key lacks the scope ${scopes.map((scope) => `“${scope}”`).join(' or ')}. Create a key that has it.`,
    { details: { scopes } },
  );
