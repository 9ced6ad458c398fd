/** What may take the focus over, from near to far. */
const places = '[role=dialog], section, main';

/**
 * Hands the focus on when what had it is taken off the page (a button that has done its work, a row that was deleted):
 * to the part of the page around it or else to the content, instead of the page's top. Who wants it elsewhere focuses
 * that, before or after.
 * @returns how to end that
 */
export function keepFocus(): () => void {
  let last: Element | null = null;
  let around: HTMLElement[] = [];
  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    last = target;
    around = [];
    for (let place = target.parentElement; place !== null; place = place.parentElement)
      if (place.matches(places)) around.push(place);
  };
  const watcher = new MutationObserver(() => {
    if (last === null || last.isConnected) return;
    last = null;
    if (document.activeElement !== document.body) return;
    const place = around.find((one) => one.isConnected) ?? document.querySelector('main');
    if (place === null) return;
    if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', note);
  watcher.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', note);
    watcher.disconnect();
  };
}
