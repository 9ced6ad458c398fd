import type { Size } from '../../../shared/lib/picture';
import { fillRect, paintSegment, segmentRect, type Brush, type MaskPixels } from './brush';
import { isEmpty, pixelsIn, union, wholeOf, type Point, type Rect } from './rect';

/** The mask of an object that the server found. Can be smaller than the image; it is scaled when it is applied. */
export interface FoundPixels extends MaskPixels {
  readonly name: string;
  /** Name of the object, if the user found it by a click. */
  readonly clicked?: string | undefined;
}

/** An undo or redo step: the tiles and the found object to restore. */
interface Step {
  /** Pixels by tile index. A tile whose pixels all have the same value, as most tiles do, is stored as a single byte. */
  readonly tiles: Map<number, Uint8Array>;
  readonly found: FoundPixels | null;
}

const TILE = 256;
const HISTORY_BYTES = 64 * 1024 * 1024;

/** An editable mask with undo and redo. Uses no browser APIs. */
export class MaskDocument implements MaskPixels {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** The mask before any change; null if it was empty. */
  readonly initial: Uint8Array | null;
  /** Increases with every step, including undo and redo. */
  revision = 0;
  found: FoundPixels | null = null;
  private readonly tiles: readonly number[];
  private current: Step | null = null;
  private undoSteps: Step[] = [];
  private redoSteps: Step[] = [];
  private readonly paintListeners = new Set<(changed: Rect) => void>();
  private readonly stepListeners = new Set<() => void>();
  /** Caches, by tile index, whether a tile contains pixels of the mask. */
  private readonly filledTiles = new Map<number, boolean>();

  /** @param initial one byte per pixel, of the same width and height; null for an empty mask */
  constructor(
    { width, height }: Size,
    initial: Uint8Array | null = null,
    private readonly historyBytes = HISTORY_BYTES,
  ) {
    this.width = width;
    this.height = height;
    this.initial = initial;
    this.pixels = initial?.slice() ?? new Uint8Array(width * height);
    this.tiles = Array.from({ length: Math.ceil(width / TILE) * Math.ceil(height / TILE) }, (_, i) => i);
  }

  get canUndo(): boolean {
    return this.undoSteps.length > 0;
  }

  get canRedo(): boolean {
    return this.redoSteps.length > 0;
  }

  get steps(): number {
    return this.undoSteps.length;
  }

  get isEmpty(): boolean {
    for (const filled of this.filledTiles.values()) if (filled) return false;
    return !this.tiles.some((tile) => this.isFilled(tile));
  }

  /** Paints a segment of a stroke. Call `commit` at the end of the stroke to make it one undo step, or `cancel`. */
  paint(from: Point, to: Point, brush: Brush): void {
    this.change(segmentRect(from, to, brush, this), () => paintSegment(this, from, to, brush));
  }

  commit(): void {
    const step = this.current;
    if (step === null) return;
    this.current = null;
    this.undoSteps.push(step);
    this.redoSteps = [];
    let bytes = this.undoSteps.reduce((sum, one) => sum + bytesOf(one), 0);
    while (bytes > this.historyBytes && this.undoSteps.length > 1) {
      const oldest = this.undoSteps.shift();
      bytes -= oldest === undefined ? 0 : bytesOf(oldest);
    }
    this.publishStep();
  }

  cancel(): void {
    const step = this.current;
    this.current = null;
    if (step !== null) this.swap(step);
  }

  fill(rect: Rect, value: 0 | 255): void {
    const inside = pixelsIn(rect, this);
    if (isEmpty(inside)) return;
    this.change(inside, () => fillRect(this, inside, value));
    this.commit();
  }

  /** Restores the initial mask, as one undo step. */
  reset(): void {
    this.change(wholeOf(this), () => {
      if (this.initial === null) this.pixels.fill(0);
      else this.pixels.set(this.initial);
    });
    this.found = null;
    this.commit();
  }

  /** Replaces the previous found object by a new one, as one undo step. Pixels that the user changed by hand stay. */
  setFound(found: FoundPixels | null): void {
    if (found === null && this.found === null) return;
    const readRow = rowsOver(found, this);
    const readRowBefore = rowsOver(this.found, this);
    this.change(wholeOf(this), () => {
      const row = new Uint8Array(this.width);
      const rowBefore = new Uint8Array(this.width);
      for (let y = 0; y < this.height; y += 1) {
        readRow(y, row);
        readRowBefore(y, rowBefore);
        for (let x = 0, at = y * this.width; x < this.width; x += 1, at += 1)
          if (this.pixels[at] === rowBefore[x]) this.pixels[at] = row[x] ?? 0;
      }
    });
    this.found = found;
    this.commit();
  }

  undo(): void {
    this.cancel();
    this.move(this.undoSteps, this.redoSteps);
  }

  redo(): void {
    this.cancel();
    this.move(this.redoSteps, this.undoSteps);
  }

  /** Loads a draft without an undo step. */
  load(pixels: Uint8Array, found: FoundPixels | null): void {
    this.pixels.set(pixels.subarray(0, this.pixels.length));
    this.found = found;
    this.publish(wholeOf(this));
    this.publishStep();
  }

  /** Calls the listener when pixels change, also during a stroke. @returns the unsubscribe function */
  onPaint(listener: (changed: Rect) => void): () => void {
    this.paintListeners.add(listener);
    return () => this.paintListeners.delete(listener);
  }

  /** Calls the listener after each step: a commit, undo, redo or load. @returns the unsubscribe function */
  readonly onStep = (listener: () => void): (() => void) => {
    this.stepListeners.add(listener);
    return () => this.stepListeners.delete(listener);
  };

  private change(rect: Rect, write: () => void): void {
    if (isEmpty(rect)) return;
    this.current ??= { tiles: new Map(), found: this.found };
    this.storeTiles(rect, this.current);
    write();
    this.publish(rect);
  }

  private storeTiles(rect: Rect, { tiles }: Step): void {
    for (const tile of this.tilesOf(rect))
      if (!tiles.has(tile)) tiles.set(tile, this.readTile(this.tileRect(tile)));
  }

  private tilesOf({ left, top, right, bottom }: Rect): number[] {
    const columns = Math.ceil(this.width / TILE);
    const tiles: number[] = [];
    for (let row = Math.floor(top / TILE); row * TILE < bottom; row += 1)
      for (let column = Math.floor(left / TILE); column * TILE < right; column += 1)
        tiles.push(row * columns + column);
    return tiles;
  }

  private isFilled(tile: number): boolean {
    const known = this.filledTiles.get(tile);
    if (known !== undefined) return known;
    const { left, top, right, bottom } = this.tileRect(tile);
    let filled = false;
    for (let y = top; y < bottom && !filled; y += 1)
      for (let at = y * this.width + left; at < y * this.width + right && !filled; at += 1)
        filled = this.pixels[at] !== 0;
    this.filledTiles.set(tile, filled);
    return filled;
  }

  private move(from: Step[], to: Step[]): void {
    const step = from.pop();
    if (step === undefined) return;
    to.push(this.swap(step));
    this.publishStep();
  }

  /** Restores the step's tiles. @returns the step that reverts this change */
  private swap({ tiles, found }: Step): Step {
    const before = new Map<number, Uint8Array>();
    const foundBefore = this.found;
    let changed: Rect | null = null;
    for (const [tile, pixels] of tiles) {
      const rect = this.tileRect(tile);
      before.set(tile, this.readTile(rect));
      const [value = 0] = pixels;
      if (pixels.length === 1) fillRect(this, rect, value);
      const side = rect.right - rect.left;
      for (let y = rect.top; pixels.length > 1 && y < rect.bottom; y += 1) {
        const start = (y - rect.top) * side;
        this.pixels.set(pixels.subarray(start, start + side), y * this.width + rect.left);
      }
      changed = union(changed, rect);
    }
    this.found = found;
    if (changed !== null) this.publish(changed);
    return { tiles: before, found: foundBefore };
  }

  private tileRect(tile: number): Rect {
    const columns = Math.ceil(this.width / TILE);
    const [left, top] = [(tile % columns) * TILE, Math.floor(tile / columns) * TILE];
    return pixelsIn({ left, top, right: left + TILE, bottom: top + TILE }, this);
  }

  private readTile({ left, top, right, bottom }: Rect): Uint8Array {
    const tile = new Uint8Array((right - left) * (bottom - top));
    for (let y = top; y < bottom; y += 1) {
      const start = y * this.width;
      tile.set(this.pixels.subarray(start + left, start + right), (y - top) * (right - left));
    }
    const [first = 0] = tile;
    return tile.every((value) => value === first) ? Uint8Array.of(first) : tile;
  }

  private publish(changed: Rect): void {
    for (const tile of this.tilesOf(changed)) this.filledTiles.delete(tile);
    for (const listener of this.paintListeners) listener(changed);
  }

  private publishStep(): void {
    this.revision += 1;
    for (const listener of this.stepListeners) listener();
  }
}

function bytesOf({ tiles }: Step): number {
  let bytes = 0;
  for (const tile of tiles.values()) bytes += tile.length;
  return bytes;
}

/** @returns a function that writes row `y` of the mask, scaled to `size` by bilinear interpolation, into `row` */
function rowsOver(mask: MaskPixels | null, size: Size): (y: number, row: Uint8Array) => void {
  if (mask === null) return () => undefined;
  const { width, height, pixels } = mask;
  const column = (x: number) => Math.min(width - 1, Math.max(0, ((x + 0.5) * width) / size.width - 0.5));
  const columns = Float32Array.from({ length: size.width }, (_, x) => column(x));
  const between = new Float32Array(width + 1);
  return (y, row) => {
    const place = Math.min(height - 1, Math.max(0, ((y + 0.5) * height) / size.height - 0.5));
    const above = Math.floor(place) * width;
    const below = Math.min(height - 1, Math.floor(place) + 1) * width;
    const down = place - Math.floor(place);
    for (let x = 0; x < width; x += 1)
      between[x] = (pixels[above + x] ?? 0) * (1 - down) + (pixels[below + x] ?? 0) * down;
    between[width] = between[width - 1] ?? 0;
    for (let x = 0; x < size.width; x += 1) {
      const at = columns[x] ?? 0;
      const left = at | 0;
      const start = between[left] ?? 0;
      row[x] = start + ((between[left + 1] ?? 0) - start) * (at - left) + 0.5;
    }
  };
}
