import type { RgbaImage } from './raster.js';

const LEVELS = 8;
/** Fewer pixels are not enough to judge an object's colours. */
const MIN_PIXELS = 400;

/** Counts the colours of an object. */
export class ColourModel {
  private readonly counts = new Float32Array(LEVELS ** 3);
  private total = 0;

  constructor(private readonly photo: RgbaImage) {}

  get hasEnough(): boolean {
    return this.total >= MIN_PIXELS;
  }

  /** Counts the colour of a pixel. */
  add(x: number, y: number): void {
    const colour = this.colourAt(x, y);
    this.counts[colour] = (this.counts[colour] as number) + 1;
    this.total += 1;
  }

  /** The likelihood of a pixel's colour in the object. */
  likelihoodAt(x: number, y: number): number {
    return ((this.counts[this.colourAt(x, y)] as number) + 0.5) / (this.total + 0.5 * LEVELS ** 3);
  }

  private colourAt(x: number, y: number): number {
    const { pixels, width, height } = this.photo;
    const column = Math.min(width - 1, Math.max(0, Math.floor(x)));
    const row = Math.min(height - 1, Math.max(0, Math.floor(y)));
    let colour = 0;
    for (let c = 0; c < 3; c += 1)
      colour =
        colour * LEVELS + Math.floor(((pixels[(row * width + column) * 4 + c] as number) * LEVELS) / 256);
    return colour;
  }
}
