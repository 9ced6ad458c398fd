/** The elements that can have the focus. */
const focusTargets = '[role=dialog], section, main';

/**
 * When the focused element leaves the page (a deleted row, a button that is no longer needed), focuses the nearest
 * section around it, or else the main content, so that the focus does not fall back to the top of the page.
 * @returns a function that stops it
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
