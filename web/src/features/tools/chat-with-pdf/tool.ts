import { MessagesSquare } from 'lucide-react';
import type { ToolEntry } from '../../../shared/tools/tool-entry';

export const tool: ToolEntry = {
  name: 'chat-with-pdf',
  order: 9,
  label: 'Chat With PDF',
  title: 'Chat With PDF',
  description: 'Answers questions about a document, from the document.',
  premium: true,
  icon: MessagesSquare,
};
