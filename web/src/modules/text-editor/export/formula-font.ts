import type { FormulaPicture } from './draw-formulas';
import { dataUrlOf } from './own-images';

/** Size of the text beside which a formula has the size of its picture, in pixels. */
const TEXT_SIZE = 11 / 0.75;
/** Of a line that has letters only, in the size of the font. */
const ASCENT = 1.07;
const DESCENT = 0.5;
/** Between a formula and the next line. */
const GAP = 0.15;

/** A formula as a font of one glyph, since pdfmake has no pictures in a line. */
export class FormulaFont {
  readonly source: string;
  readonly ascender: number;
  readonly descender: number;

  constructor(private readonly picture: FormulaPicture) {
    this.source = dataUrlOf(picture);
    this.ascender = Math.max(picture.ascent / TEXT_SIZE, ASCENT) * 1_000;
    this.descender = (-picture.depth / TEXT_SIZE) * 1_000;
  }

  /** Called by pdfmake. */
  widthOfString(_text: string, size: number): number {
    return ((this.picture.width - 2 * this.picture.padding) / TEXT_SIZE) * size;
  }

  /** Called by pdfmake and PDFKit. */
  lineHeight(size: number): number {
    return (this.ascender / 1_000 + Math.max(GAP - this.descender / 1_000, DESCENT)) * size;
  }

  /** Position and size of the picture, whose glyph begins at `x` and has its upper edge at `y`. */
  boxAt(x: number, y: number, size: number) {
    const points = size / TEXT_SIZE;
    const { width, height, padding, baseline } = this.picture;
    return {
      left: x - padding * points,
      top: y + (this.ascender / 1_000) * size - baseline * points,
      width: width * points,
      height: height * points,
    };
  }
}
