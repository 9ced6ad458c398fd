import { ImageUp } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useConfig } from '../../shared/account/read-config';
import { paths } from '../../shared/paths';
import { useToolPages } from '../../shared/tools/tool-pages';
import { Menu, MenuItem } from '../../shared/ui/menu';
import { toolsTaking } from './reuse';

/** Menu of image tools. Each item opens the tool's form with the creation as input. */
export function SendToMenu({ creationId }: { creationId: string }) {
  const taking: readonly string[] = toolsTaking(useConfig().data?.changesImages === true);
  const pages = useToolPages().filter(({ name }) => taking.includes(name));
  return (
    <Menu label="Send to…" icon={ImageUp}>
      {pages.map(({ name, label, segment, icon: Icon }) => (
        <MenuItem key={name} asChild>
          <Link to={paths.toolWithSource(segment, creationId)}>
            <Icon aria-hidden="true" className="size-4 text-quiet" />
            {label}
          </Link>
        </MenuItem>
      ))}
    </Menu>
  );
}
