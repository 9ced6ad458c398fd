import type { LucideIcon } from 'lucide-react';

/** What a tool's folder says of it to the sidebar, the landing page and its own page; its folder's name is its address. */
export interface ToolEntry {
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
