import type { LucideIcon } from 'lucide-react';
import type { ToolName } from '#libs/tools/catalogue.js';

/** What a tool's folder exports as `tool`. */
export interface ToolEntry {
  /** Its name in the catalogue, which its jobs carry. */
  name: ToolName;
  /** Place in the sidebar. */
  order: number;
  /** The sidebar's label and the page's heading. */
  label: string;
  /** The landing page's card. */
  title: string;
  description: string;
  /** Whether it is marked as premium. */
  premium: boolean;
  icon: LucideIcon;
}
