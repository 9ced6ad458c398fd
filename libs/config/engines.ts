import { sourceOf } from '#libs/contract/images.js';
import type { EngineName, ImageOperation } from '#libs/contract/engine.js';
import { toolNames, tools, type ToolName } from '#libs/tools/catalogue.js';
import { ConfigurationError } from './configuration-error.js';

/**
 * Tools that run offline by default, even if an AI service is configured. To remove a background, our segmentation model
 * keeps the pixels of the foreground, whereas AI services repaint them.
 */
const OFFLINE_BY_DEFAULT: ToolName[] = ['remove-image-background'];

/** Name of a tool's variable, such as `ENGINE_REMOVE_IMAGE_BACKGROUND` for `remove-image-background`. */
const engineVariable = (tool: ToolName): string => `ENGINE_${tool.toUpperCase().replaceAll('-', '_')}`;

export const engineVariables = toolNames.map(engineVariable);

export interface ToolEngines {
  /** The engine of each tool, if the AI service can do its work. */
  engines: Record<ToolName, EngineName>;
  /** Tools whose engine the operator chose. They keep it. */
  chosenEngines: readonly ToolName[];
}

export function readEngines(
  environment: Record<string, string | undefined>,
  hasProvider: boolean,
): ToolEngines {
  const choiceOf = (tool: ToolName) => environment[engineVariable(tool)]?.trim();
  const engineOf = (tool: ToolName): EngineName => {
    const chosen = choiceOf(tool);
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
  const engines = toolNames.map((tool) => [tool, engineOf(tool)]);
  return {
    engines: Object.fromEntries(engines) as Record<ToolName, EngineName>,
    chosenEngines: toolNames.filter(choiceOf),
  };
}

/** The image operation that a job of the tool needs from an AI service; null if it needs text. */
export function imageOperationOf(tool: ToolName, input: unknown): ImageOperation | null {
  if (tools[tool].queue !== 'image') return null;
  return tool === 'generate-image' && sourceOf(input) === undefined ? 'generate' : 'edit';
}

/** The engine for a job, given the image operations that the AI service lacks. */
export function engineFor(
  tool: ToolName,
  input: unknown,
  { engines, chosenEngines }: ToolEngines,
  lacking: ReadonlySet<ImageOperation>,
): EngineName {
  if (chosenEngines.includes(tool)) return engines[tool];
  const operation = imageOperationOf(tool, input);
  return operation !== null && lacking.has(operation) ? 'offline' : engines[tool];
}
