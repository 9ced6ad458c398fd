import { Heading } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = { name: 'generate-blog-title', icon: Heading };
