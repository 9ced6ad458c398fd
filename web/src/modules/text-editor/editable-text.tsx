import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { PenLine } from 'lucide-react';
import { shortcutKey } from '../../shared/lib/shortcut-key';
import { Markdown } from '../../shared/markdown/markdown';
import { Button } from '../../shared/ui/button';
import { Loading } from '../../shared/ui/spinner';
import { clickPositionIn } from './document/click-position';
import type { TextEditing } from './use-text-editing';

const TextEditor = lazy(() => import('./ui/text-editor'));
const TextVersions = lazy(() => import('./versions/text-versions'));

/** The text of a creation with its versions, or its editor while the text is edited. Editor and versions load lazily. */
export function EditableText({ editing, text }: { editing: TextEditing; text: string }) {
  const { creation, editor } = editing;
  if (editor === null)
    return (
      <>
        <ClickableText editing={editing}>
          <Markdown text={text} />
        </ClickableText>
        {creation?.editable && creation.revision > 1 && (
          <Suspense fallback={null}>
            <TextVersions key={creation.id} creation={creation} />
          </Suspense>
        )}
      </>
    );
  return (
    <Suspense fallback={<Loading label="Opening the editor" />}>
      <TextEditor
        key={editor.creation.id}
        creation={editor.creation}
        draft={editor.draft}
        takesFocus={editor.byUser}
        place={editor.place}
        onText={editing.setText}
        onClose={editing.close}
      />
    </Suspense>
  );
}

/** Delay before a click opens the editor. A second click within this time selects a word instead. */
const DOUBLE_CLICK_MS = 250;

/** Opens the editor at the position of a mouse click. Touches are ignored, since they scroll and select text. */
function ClickableText({ editing, children }: { editing: TextEditing; children: ReactNode }) {
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (!editing.canEdit) return children;
  const onClick = (event: MouseEvent<HTMLElement>) => {
    clearTimeout(timer.current);
    const { pointerType } = event.nativeEvent as PointerEvent;
    const isOther = event.target instanceof Element && event.target.closest('a, button, input, summary');
    if (event.detail !== 1 || pointerType === 'touch' || isOther) return;
    const place = clickPositionIn(event.currentTarget, event);
    if (place === null) return;
    timer.current = window.setTimeout(() => {
      // Don't open the editor if the click selected text, which the user may want to copy.
      if (window.getSelection()?.isCollapsed !== false) editing.start(place);
    }, DOUBLE_CLICK_MS);
  };
  return (
    // No keyboard handler is needed: the Edit button and the E key open the editor too.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div onClick={onClick} className="pointer-fine:cursor-text">
      {children}
    </div>
  );
}

/** Opens the editor when clicked or when the user presses E. */
export function EditButton({ editing }: { editing: TextEditing }) {
  return editing.canEdit && editing.editor === null ? <OpenEditorButton {...editing} /> : null;
}

function OpenEditorButton({ start, wasClosed }: TextEditing) {
  const button = useRef<HTMLButtonElement>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (shortcutKey(event) !== 'e' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented || isOccupied(event.target)) return;
    event.preventDefault();
    start();
  });
  // A layout effect, so that the key works as soon as the button, which announces the key, appears.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  // The editor had replaced the Edit button, so its focus was lost. The new button takes the focus when the editor closes.
  const restoreFocus = useEffectEvent(() => wasClosed && button.current?.focus({ preventScroll: true }));
  useEffect(() => void restoreFocus(), []);
  return (
    <Button ref={button} size="small" aria-keyshortcuts="E" title="Edit (E)" onClick={() => start()}>
      <PenLine aria-hidden="true" className="size-4" />
      Edit
    </Button>
  );
}

/** True if the key belongs to a field, a menu or a dialog. */
const isOccupied = (target: EventTarget | null) =>
  document.querySelector('[role=dialog], [role=menu]') !== null ||
  (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')));
