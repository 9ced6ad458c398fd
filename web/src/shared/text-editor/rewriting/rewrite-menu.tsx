import { useRef, useState } from 'react';
import { DropdownMenu, Toolbar } from 'radix-ui';
import { ChevronDown, WandSparkles } from 'lucide-react';
import { actionsOf, type RewriteAction } from '#libs/tools/rewrite-text/contract.js';
import { useAccount } from '../../api/read-account';
import { useConfig } from '../../api/read-config';
import { summaryOf } from '../../tools/summary-of';
import { actionNames, type RewriteChoice } from './actions';
import { ChoiceDialog, needsChoice, type ChosenAction } from './choice-dialog';

interface RewriteMenuProps {
  open: boolean;
  onOpen: (open: boolean) => void;
  /** What would be rewritten; null where there is no text. Asked when the menu opens. */
  passageName: () => string | null;
  onChoose: (choice: RewriteChoice) => void;
  /** The key that opens it, as it is named on this device. */
  keys: string;
  /** Takes the focus once the menu is closed. */
  onClosed: () => void;
}

/** What can be done with the selected words, or with the section in which the cursor is. */
export function RewriteMenu({ open, onOpen, passageName, onChoose, keys, onClosed }: RewriteMenuProps) {
  const [asks, setAsks] = useState<ChosenAction | null>(null);
  const chosen = useRef<ChosenAction | null>(null);
  const config = useConfig().data;
  const account = useAccount().data;
  const engine = config?.tools.find(({ name }) => name === 'rewrite-text')?.engine ?? config?.engine;
  const { credits } = summaryOf('rewrite-text');
  const name = open ? passageName() : null;
  const item = (action: RewriteAction) => (
    <DropdownMenu.Item
      key={action}
      onSelect={() => {
        if (needsChoice(action)) chosen.current = action;
        else onChoose({ action });
      }}
      className="flex min-h-11 cursor-pointer items-center rounded-[6px] px-3 text-sm outline-none data-highlighted:bg-tint"
    >
      {actionNames[action].label}
      {needsChoice(action) && '…'}
    </DropdownMenu.Item>
  );
  return (
    <>
      <DropdownMenu.Root modal={false} open={open} onOpenChange={onOpen}>
        <DropdownMenu.Trigger asChild>
          <Toolbar.Button
            title={`Rewrite (${keys})`}
            className="flex min-h-11 shrink-0 items-center gap-1.5 rounded-control px-2 text-sm whitespace-nowrap text-quiet hover:bg-tint hover:text-ink sm:min-h-9"
          >
            <WandSparkles aria-hidden="true" className="size-4" />
            Rewrite
            <ChevronDown aria-hidden="true" className="size-4" />
          </Toolbar.Button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="start"
            sideOffset={4}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              onClosed();
              // Once the text has the focus, to which it returns after the dialog.
              setAsks(chosen.current);
              chosen.current = null;
            }}
            className="panel z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[min(20rem,calc(100vw-2rem))] min-w-48 animate-fade overflow-y-auto p-1 shadow-[0_8px_24px_rgb(0_0_0/0.18)]"
          >
            <DropdownMenu.Label className="px-3 py-2 text-sm text-quiet">
              {name === null ? (
                'Select words, or put the cursor into a text.'
              ) : (
                <>
                  <span className="line-clamp-2">Rewrite {name}</span>
                  <span className="mt-1 block text-xs">
                    {[
                      engine === 'offline' && 'By rules of this server, for English',
                      account?.plan === 'free' && `${credits} ${credits === 1 ? 'credit' : 'credits'}`,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </>
              )}
            </DropdownMenu.Label>
            {name !== null && engine !== undefined && actionsOf(engine).map(item)}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {asks !== null && (
        <ChoiceDialog
          action={asks}
          onChoose={(choice) => {
            setAsks(null);
            onChoose(choice);
          }}
          onClose={() => setAsks(null)}
        />
      )}
    </>
  );
}
