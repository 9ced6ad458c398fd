import { DropdownMenu } from 'radix-ui';
import { ChevronDown, ImageUp } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useConfig } from '../api/read-config';
import { paths } from '../paths';
import { useToolPages } from '../tools/tool-pages';
import { Button } from '../ui/button';
import { toolsTaking } from './reuse';

/** Opens an image tool with a creation filled in. */
export function UseInMenu({ creationId }: { creationId: string }) {
  const config = useConfig().data;
  const taking: readonly string[] = toolsTaking(
    (tool) => config?.tools.find(({ name }) => name === tool)?.engine,
  );
  const pages = useToolPages().filter(({ name }) => taking.includes(name));
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button size="small">
          <ImageUp aria-hidden="true" className="size-4" />
          Use in…
          <ChevronDown aria-hidden="true" className="-mr-1 size-4 text-quiet" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="panel z-50 min-w-44 animate-fade p-1 shadow-[0_8px_24px_rgb(0_0_0/0.18)]"
        >
          {pages.map(({ name, label, segment, icon: Icon }) => (
            <DropdownMenu.Item
              key={name}
              asChild
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-[6px] px-3 text-sm outline-none data-highlighted:bg-tint"
            >
              <Link to={paths.toolWithSource(segment, creationId)}>
                <Icon aria-hidden="true" className="size-4 text-quiet" />
                {label}
              </Link>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
