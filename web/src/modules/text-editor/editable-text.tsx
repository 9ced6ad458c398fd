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
import { Markdown } from '../../shared/markdown/markdown';
import { Button } from '../../shared/ui/button';
import { Loading } from '../../shared/ui/spinner';
import { clickPlaceIn } from './document/click-place';
import type { TextEditing } from './use-text-editing';

/** Only who edits loads it. */
const TextEditor = lazy(() => import('./ui/text-editor'));
/** Only who has edited loads it. */
const TextVersions = lazy(() => import('./versions/text-versions'));

/** The text of a creation, to be read with its versions, or edited. */
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
        takesFocus={editor.byHand}
        place={editor.place}
        onText={editing.setText}
        onClose={editing.close}
      />
    </Suspense>
  );
}

/** A double click selects a word instead. */
const DOUBLE_CLICK_MS = 250;

/** Opens the editor where the text is clicked. A finger scrolls and selects; it has the button. */
function ClickableText({ editing, children }: { editing: TextEditing; children: ReactNode }) {
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (!editing.canEdit) return children;
  const onClick = (event: MouseEvent<HTMLElement>) => {
    clearTimeout(timer.current);
    const { pointerType } = event.nativeEvent as PointerEvent;
    const isOther = event.target instanceof Element && event.target.closest('a, button, input, summary');
    if (event.detail !== 1 || pointerType === 'touch' || isOther) return;
    const place = clickPlaceIn(event.currentTarget, event);
    if (place === null) return;
    timer.current = window.setTimeout(() => {
      // Words that were just selected are to be copied.
      if (window.getSelection()?.isCollapsed !== false) editing.start(place);
    }, DOUBLE_CLICK_MS);
  };
  return (
    // The button and the key E do the same.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div onClick={onClick} className="pointer-fine:cursor-text">
      {children}
    </div>
  );
}

/** Opens the editor, also by the key E. Nothing while it is open, and where there is nothing to edit. */
export function EditButton({ editing }: { editing: TextEditing }) {
  return editing.canEdit && editing.editor === null ? <ShownEditButton {...editing} /> : null;
}

function ShownEditButton({ start, wasLeft }: TextEditing) {
  const button = useRef<HTMLButtonElement>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'e' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented || isOccupied(event.target)) return;
    event.preventDefault();
    start();
  });
  // Before the button is drawn, which names the key.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  // The button that was pressed gives way to the editor; this is the one that comes back.
  const focusAgain = useEffectEvent(() => wasLeft && button.current?.focus({ preventScroll: true }));
  useEffect(() => void focusAgain(), []);
  return (
    <Button ref={button} size="small" aria-keyshortcuts="E" title="Edit (E)" onClick={() => start()}>
      <PenLine aria-hidden="true" className="size-4" />
      Edit
    </Button>
  );
}

/** Whether keys belong to a field, a menu or a dialog. */
const isOccupied = (target: EventTarget | null) =>
  document.querySelector('[role=dialog], [role=menu]') !== null ||
  (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')));
