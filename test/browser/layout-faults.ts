import type { Page } from 'playwright-core';

/**
 * What a user of this window cannot reach or read: a page that scrolls sideways, and every control that is cut off or covered
 * when it is scrolled to the middle of the window, or on a phone smaller than a fingertip.
 */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate<string[]>(findFaults);

const findFaults = `(() => {
  const faults = new Set();
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) faults.add(wide + ' pixels wider than the window');
  const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=true], ' +
    '[role=button], [role=tab], [role=checkbox], [role=radio], [role=switch], [role=slider], [tabindex="0"]';
  const nameOf = (element) =>
    element.tagName.toLowerCase() + ' "' +
    (element.getAttribute('aria-label') || element.textContent || element.id || element.className || '').trim().slice(0, 40) + '"';
  const isCut = (element, box) => {
    if (box.left < -1 || box.right > document.documentElement.clientWidth + 1) return 'the window';
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      const { overflowX, display } = getComputedStyle(at);
      if (overflowX === 'visible' || display === 'contents') continue;
      const outer = at.getBoundingClientRect();
      if (box.left < outer.left - 1 || box.right > outer.right + 1) return nameOf(at);
    }
  };
  /** 44 pixels, less half a pixel that layouts round. */
  const TOUCH = 43.5;
  const { scrollX, scrollY } = window;
  for (const element of document.querySelectorAll(CONTROLS)) {
    if (element.closest('[inert], [aria-hidden=true]')) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const size = element.getBoundingClientRect();
    // Only for screen readers, until it is focused.
    if (size.width <= 1 || size.height <= 1) continue;
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    // The first line of a link that is broken over lines.
    const box = element.getClientRects()[0];
    if (!box) continue;
    const outer = isCut(element, box);
    if (outer) {
      faults.add(nameOf(element) + ' is cut off by ' + outer);
      continue;
    }
    const isInText = getComputedStyle(element).display === 'inline';
    const target = element.labels?.[0] && element.labels[0].contains(element) ? element.labels[0] : element;
    const { width, height } = target.getBoundingClientRect();
    if (innerWidth < 640 && !isInText && Math.min(width, height) < TOUCH)
      faults.add(nameOf(element) + ' is ' + Math.round(width) + ' × ' + Math.round(height) + ' pixels');
    const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const label = element.labels?.[0];
    const reaches = found && (element.contains(found) || found.contains(element) || (label && (label === found || label.contains(found))));
    if (!reaches && getComputedStyle(element).pointerEvents !== 'none' && !element.disabled)
      faults.add(nameOf(element) + ' is covered by ' + (found ? nameOf(found) : 'nothing'));
  }
  window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
  return [...faults];
})()`;
