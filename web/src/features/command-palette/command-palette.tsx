import { useRef, useState, type ReactNode } from 'react';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { Search } from 'lucide-react';
import { commandPalette } from '../../shared/lib/command-palette-state';
import { Spinner } from '../../shared/ui/spinner';
import { filterEntries, type Entry } from './filter-entries';
import { CREATIONS, RUNS, useCommandEntries, useCreationEntries, useRunEntries } from './use-entries';

/** Maximum entries of each group of things that the user made. */
const MAX_MADE = 6;

export default function CommandPalette() {
  const [query, setQuery] = useState('');
  const opener = useRef(document.activeElement);
  const commands = useCommandEntries();
  const creations = useCreationEntries();
  const entries = filterEntries(commands, query);
  const runs = useRunEntries();
  const made = [
    { heading: CREATIONS, entries: filterEntries(creations.entries, query).slice(0, MAX_MADE) },
    { heading: RUNS, entries: filterEntries(runs, query).slice(0, MAX_MADE) },
  ].filter((group) => group.entries.length > 0);
  const count = made.reduce((sum, group) => sum + group.entries.length, entries.length);
  const groups = [...new Set(entries.map(({ group }) => group))];

  return (
    <Dialog.Root open onOpenChange={(open) => !open && commandPalette.close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-[var(--shade)]" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // If the command opened another dialog, leave the focus there.
            const otherDialog = document.activeElement?.closest('[role=dialog]') != null;
            if (!otherDialog && opener.current instanceof HTMLElement)
              opener.current.focus({ preventScroll: true });
          }}
          className="panel fixed top-[12dvh] left-1/2 z-50 flex max-h-[min(32rem,76dvh)] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 animate-fade flex-col overflow-hidden outline-none"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Command
            label="Tools, pages, commands, creations, batches and runs"
            shouldFilter={false}
            vimBindings={false}
            loop
            className="flex min-h-0 flex-col"
          >
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search aria-hidden="true" className="size-5 shrink-0 text-quiet" />
              <Command.Input
                value={query}
                onValueChange={setQuery}
                placeholder="A tool, a page, or something you made"
                className="min-h-14 w-full bg-transparent text-base outline-none placeholder:text-quiet"
              />
              <kbd className="rounded-[4px] border border-line px-1.5 font-mono text-xs leading-6 text-quiet max-sm:hidden">
                Esc
              </kbd>
            </div>
            <Command.List
              label="Results"
              className="min-h-0 overflow-y-auto p-2 [scroll-padding-block:0.5rem]"
            >
              {groups.map((group) => (
                <Group key={group} heading={group}>
                  {entries
                    .filter((entry) => entry.group === group)
                    .map((entry) => (
                      <Item key={entry.id} entry={entry} />
                    ))}
                </Group>
              ))}
              {made.map((group) => (
                <Group key={group.heading} heading={group.heading}>
                  {group.entries.map((entry) => (
                    <Item key={entry.id} entry={entry} />
                  ))}
                </Group>
              ))}
              {creations.loading && (
                <p className="flex items-center gap-2 px-3 py-2 text-sm text-quiet">
                  <Spinner />
                  Loading your creations
                </p>
              )}
              {creations.failed && (
                <p className="px-3 py-2 text-sm text-quiet">Your creations could not be loaded.</p>
              )}
              {count === 0 && !creations.loading && (
                <p className="px-3 py-8 text-center text-quiet">No results for “{query.trim()}”.</p>
              )}
            </Command.List>
          </Command>
          <p role="status" className="sr-only">
            {query.trim() !== '' && resultCount(count)}
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const resultCount = (count: number) => (count === 0 ? 'Nothing found' : `${count} found`);

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="pb-1 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-2 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-quiet"
    >
      {children}
    </Command.Group>
  );
}

function Item({ entry: { id, label, note, icon: Icon, run } }: { entry: Entry }) {
  return (
    <Command.Item
      value={id}
      onSelect={() => {
        commandPalette.close();
        run();
      }}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 text-[0.9375rem] data-[selected=true]:bg-tint data-[selected=true]:shadow-[inset_2px_0_0_var(--accent)]"
    >
      <Icon aria-hidden="true" className="size-[1.125rem] shrink-0 text-quiet" strokeWidth={1.75} />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {note !== undefined && <span className="shrink-0 text-sm text-quiet">{note}</span>}
    </Command.Item>
  );
}
