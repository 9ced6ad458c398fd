import { MessagesSquare } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = { name: 'chat-with-pdf', icon: MessagesSquare };
