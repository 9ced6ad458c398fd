/**
 * A run of text on a page. Coordinates are in points (1/72 inch) from the upper left corner of the page as a viewer displays
 * it, so that rotated pages are upright.
 */
export interface PageItem {
  /** Ends with a space if a space follows in the file. */
  text: string;
  /** Position where the run begins, on its baseline. */
  x: number;
  y: number;
  /** Length along the baseline. */
  width: number;
  /** Height of the font. */
  height: number;
  /** Direction of the baseline in degrees, clockwise: 0 for usual text, 90 for text that runs down, as vertical Japanese. */
  angle: number;
  /** Identifies the font within the document. */
  font?: string;
  isRightToLeft?: boolean;
  /** `field`: the value of a form field. `comment`: a whole annotation, written as a paragraph of its own. Default: `text`. */
  source?: 'text' | 'field' | 'comment';
  /** Label of a form field, written before its value unless it is there already. */
  label?: string;
}

/** The text of one page, in the file's order, which is a hint at the reading order. */
export interface PageItems {
  width: number;
  height: number;
  items: PageItem[];
}
