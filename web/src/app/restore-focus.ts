/** The elements that may get the focus in place of a removed element. */
const focusTargets = '[role=dialog], section, main';

/**
 * When the focused element is removed (for example a deleted row), focuses the nearest section that contained it, or else
 * the
 * main content. Otherwise, keyboard users would start again at the top of the page.
 * @returns a function that removes the listeners
 */
export function restoreFocus(): () => void {
  let focused: Element | null = null;
  let ancestors: HTMLElement[] = [];
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    focused = target;
    ancestors = [];
    for (let element = target.parentElement; element !== null; element = element.parentElement)
      if (element.matches(focusTargets)) ancestors.push(element);
  };
  const observer = new MutationObserver(() => {
    if (focused === null || focused.isConnected) return;
    focused = null;
    if (document.activeElement !== document.body) return;
    const target = ancestors.find((element) => element.isConnected) ?? document.querySelector('main');
    if (target === null) return;
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', remember);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}
