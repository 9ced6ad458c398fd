/** Where menus are put: into the page's landmark, unless a dialog hides it. */
export function popupRoot(): HTMLElement {
  const main = document.querySelector<HTMLElement>('main');
  return main === null || main.closest('[aria-hidden="true"]') !== null ? document.body : main;
}
