import type { EngineName } from '#libs/contract/engine.js';
import { toolNames, type ToolName } from '#libs/tools/catalogue.js';
import { ConfigurationError } from './configuration-error.js';

/**
 * Tools that run offline by default, even if an AI service is configured. To remove a background, our segmentation model
 * keeps the pixels of the foreground, whereas AI services repaint them.
 */
const OFFLINE_BY_DEFAULT: ToolName[] = ['remove-image-background'];

/** Name of a tool's variable, such as `ENGINE_REMOVE_IMAGE_BACKGROUND` for `remove-image-background`. */
export const engineVariable = (tool: ToolName): string => `ENGINE_${tool.toUpperCase().replaceAll('-', '_')}`;

export function readEngines(
  environment: Record<string, string | undefined>,
  hasProvider: boolean,
): Record<ToolName, EngineName> {
  const engineOf = (tool: ToolName): EngineName => {
    const chosen = environment[engineVariable(tool)]?.trim();
    if (!chosen) return hasProvider && !OFFLINE_BY_DEFAULT.includes(tool) ? 'openai' : 'offline';
    if (chosen === 'offline') return 'offline';
    if (chosen !== 'provider')
      throw new ConfigurationError(`${engineVariable(tool)} must be offline or provider.`);
    if (!hasProvider)
      throw new ConfigurationError(
        `OPENAI_API_KEY must hold a key when ${engineVariable(tool)} is provider.`,
      );
    return 'openai';
  };
  return Object.fromEntries(toolNames.map((tool) => [tool, engineOf(tool)])) as Record<ToolName, EngineName>;
}
