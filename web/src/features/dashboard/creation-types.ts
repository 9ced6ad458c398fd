import { FileText, type LucideIcon } from 'lucide-react';
import { useFindToolPage } from '../../shared/tools/tool-pages';
import { toolSummaries } from '../../shared/tools/tool-summaries';

interface CreationTypeDisplay {
  label: string;
  icon: LucideIcon;
}

/** Returns a function that gives the label and icon of a creation type, from the first tool that creates it. */
export function useCreationTypes(): (type: string) => CreationTypeDisplay {
  const findToolPage = useFindToolPage();
  return (type) => {
    const maker = toolSummaries.find(({ creation }) => creation?.type === type);
    // The tool of an old creation may no longer exist, so fall back to the type's name.
    return {
      label: maker?.creation?.label ?? type.replaceAll('-', ' '),
      icon: (maker && findToolPage(maker.name)?.icon) ?? FileText,
    };
  };
}
