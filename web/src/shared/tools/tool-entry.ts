import type { LucideIcon } from 'lucide-react';
import type { ToolName } from '#libs/tools/catalogue.js';

/** What the `tool.ts` of a tool's folder exports as `tool`. */
export interface ToolEntry {
  /** The name in the catalogue. */
  name: ToolName;
  icon: LucideIcon;
}
