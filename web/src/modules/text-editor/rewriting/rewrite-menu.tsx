import { useRef, useState } from 'react';
import { DropdownMenu } from 'radix-ui';
import { WandSparkles } from 'lucide-react';
import { actionsOf, type RewriteAction } from '#libs/tools/rewrite-text/contract.js';
import { useAccount } from '../../../shared/account/account-calls';
import { useConfig, useCredits } from '../../../shared/account/read-config';
import { formatCount } from '../../../shared/lib/format';
import { MenuItem } from '../../../shared/ui/menu';
import { ToolbarMenu } from '../../../shared/ui/toolbar-menu';
import { actionNames, type RewriteChoice } from './actions';
import { ChoiceDialog, needsInput, type ActionWithInput } from './choice-dialog';

interface RewriteMenuProps {
  open: boolean;
  onOpen: (open: boolean) => void;
  /** Called when the menu opens. @returns a description of the passage to rewrite; null if there is no text */
  passageName: () => string | null;
  onChoose: (choice: RewriteChoice) => void;
  /** The keyboard shortcut, formatted for the user. */
  keys: string;
  /** Called when the menu has closed; the caller moves the focus to the text. */
  onClosed: () => void;
}

export function RewriteMenu({ open, onOpen, passageName, onChoose, keys, onClosed }: RewriteMenuProps) {
  const [asks, setAsks] = useState<ActionWithInput | null>(null);
  const chosen = useRef<ActionWithInput | null>(null);
  const config = useConfig().data;
  const account = useAccount().data;
  const engine = config?.tools.find(({ name }) => name === 'rewrite-text')?.engine ?? config?.engine;
  const credits = useCredits('rewrite-text');
  const name = open ? passageName() : null;
  const item = (action: RewriteAction) => (
    <MenuItem
      key={action}
      onSelect={() => {
        if (needsInput(action)) chosen.current = action;
        else onChoose({ action });
      }}
    >
      {actionNames[action].label}
      {needsInput(action) && '…'}
    </MenuItem>
  );
  return (
    <>
      <ToolbarMenu
        name="Rewrite"
        label="Rewrite"
        icon={WandSparkles}
        title={`Rewrite (${keys})`}
        open={open}
        onOpen={onOpen}
        onClosed={() => {
          onClosed();
          // Open the dialog after `onClosed` has focused the text: a dialog returns the focus to where it was.
          setAsks(chosen.current);
          chosen.current = null;
        }}
      >
        <DropdownMenu.Label className="px-3 py-2 text-sm text-quiet">
          {name === null ? (
            'Select text or place the cursor in a paragraph.'
          ) : (
            <>
              <span className="line-clamp-2">Rewrite {name}</span>
              <span className="mt-1 block text-xs">
                {[
                  engine === 'offline' && 'Rule-based, English only',
                  account?.plan === 'free' && credits !== undefined && formatCount(credits, 'credit'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </>
          )}
        </DropdownMenu.Label>
        {name !== null && engine !== undefined && actionsOf(engine).map(item)}
      </ToolbarMenu>
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
