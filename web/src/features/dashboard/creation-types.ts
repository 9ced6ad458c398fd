import { FileText, type LucideIcon } from 'lucide-react';
import { useToolPages } from '../../shared/tools/tool-pages';

interface CreationTypeDisplay {
  label: string;
  icon: LucideIcon;
}

/** The label and icon of a creation type, from the first tool with that type. */
export function useCreationTypes(): (type: string) => CreationTypeDisplay {
  const toolPages = useToolPages();
  return (type) => {
    const maker = toolPages.find(({ creation }) => creation?.type === type);
    // The tool of an old creation may no longer exist.
    return {
      label: maker?.creation?.label ?? type.replaceAll('-', ' '),
      icon: maker?.icon ?? FileText,
    };
  };
}
