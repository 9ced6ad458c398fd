/** Container for menus: the page's main landmark, or the body while an open dialog hides the landmark. */
export function popupRoot(): HTMLElement {
  const main = document.querySelector<HTMLElement>('main');
  return main === null || main.closest('[aria-hidden="true"]') !== null ? document.body : main;
}
