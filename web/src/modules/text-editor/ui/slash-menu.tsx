import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import clsx from 'clsx';
import type { EditorView } from 'prosemirror-view';
import { popupRoot } from '../../../shared/ui/popup-root';
import type { SlashItem } from './slash-items';
import { SLASH_LIST, slashOption, type SlashMenuState } from './slash-plugin';

interface SlashMenuProps {
  view: EditorView;
  menu: SlashMenuState;
  onChoose: (item: SlashItem) => void;
}

const GAP = 6;
/** In rem, so that the menu grows with the user's text size. */
const WIDTH_REM = 15;
const MAX_HEIGHT_REM = 20;

interface Place {
  left: number;
  width: number;
  top?: number;
  bottom?: number;
  height: number;
}

/** The menu that opens when the user types `/`. The focus stays in the text, whose editor handles the keys. */
export function SlashMenu({ view, menu: { from, items, active }, onChoose }: SlashMenuProps) {
  const list = useRef<HTMLUListElement>(null);
  const [place, setPlace] = useState<Place | null>(null);
  useLayoutEffect(() => {
    const update = () => setPlace(placeAt(view, from));
    update();
    const screen = window.visualViewport ?? window;
    screen.addEventListener('resize', update);
    // On phones, the visual viewport can move without a scroll event of the page, so listen to both.
    screen.addEventListener('scroll', update);
    addEventListener('scroll', update, { passive: true });
    return () => {
      screen.removeEventListener('resize', update);
      screen.removeEventListener('scroll', update);
      removeEventListener('scroll', update);
    };
  }, [view, from]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, items]);
  const { height, ...position } = place ?? { left: 0, top: 0, width: 0, height: 0 };
  // A portal, since a fixed element inside the result pane would be positioned relative to the pane.
  return createPortal(
    <>
      <ul
        ref={list}
        id={SLASH_LIST}
        role="listbox"
        aria-label="Insert"
        // Keyboard users must be able to focus a scrollable list.
        tabIndex={0}
        // Prevents the default, so that the focus stays in the text.
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
        className="panel popup fixed z-40 animate-fade overflow-y-auto p-1"
        style={{ ...position, maxHeight: height }}
      >
        {items.map((item, index) => (
          // No key handler here: the focus is in the text, whose editor handles the keys.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={item.label}
            id={slashOption(index)}
            role="option"
            aria-selected={index === active}
            onClick={() => onChoose(item)}
            className={clsx(
              'flex min-h-11 cursor-pointer items-center gap-3 rounded-[6px] px-3 text-sm hover:bg-tint',
              index === active && 'bg-tint',
            )}
          >
            <item.icon aria-hidden="true" className="size-4 shrink-0 text-quiet" />
            {item.label}
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {`${items[active]?.label}, ${active + 1} of ${items.length}. Enter inserts it, Escape closes.`}
      </p>
    </>,
    popupRoot(),
  );
}

/** Places the menu above or below the line, where the visual viewport, which excludes the on-screen keyboard, has more room. */
function placeAt(view: EditorView, position: number): Place {
  const line = view.coordsAtPos(position);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const width = Math.min(WIDTH_REM * rem, innerWidth - 16);
  const most = MAX_HEIGHT_REM * rem;
  const { offsetTop = 0, height: screen = innerHeight } = window.visualViewport ?? {};
  const below = offsetTop + screen - line.bottom - 2 * GAP;
  const above = line.top - offsetTop - 2 * GAP;
  const left = Math.max(8, Math.min(line.left, innerWidth - width - 8));
  return below >= Math.min(most, above)
    ? { left, width, top: line.bottom + GAP, height: Math.min(most, below) }
    : { left, width, bottom: innerHeight - line.top + GAP, height: Math.min(most, above) };
}
