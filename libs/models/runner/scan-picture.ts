import type { GreyPicture } from './messages.js';

/** The orientation of a page, by its lines of text. */
export interface Skew {
  /** Degrees by which the page is turned clockwise. */
  degrees: number;
  /** True if the lines are vertical. */
  isSideways: boolean;
}

const WHITE = 255;
/** The largest skew that is measured, in degrees to each side. */
const MAX_SKEW = 10;
/** The sides of the small copy in which the skew is measured. */
const SKEW_PIXELS = 1_000;
const MAX_POINTS = 40_000;

/**
 * Evens the light of a page: paper becomes white and ink black, also in shadows. The paper's brightness is measured in
 * squares.
 */
export function evenLight({ data, width, height }: GreyPicture): GreyPicture {
  const square = Math.max(16, Math.round(Math.min(width, height) / 48));
  const columns = Math.ceil(width / square);
  const rows = Math.ceil(height / square);
  const paper = spread(brightnessOfPaper(data, width, height, square, columns, rows), columns, rows);
  const ink = inkBrightness(data, width, height, paper, square, columns);
  const even = new Uint8Array(data.length);
  const span = Math.max(0.25, 1 - ink);
  for (let y = 0, at = 0; y < height; y += 1) {
    const gridY = Math.min(rows - 1, Math.max(0, y / square - 0.5));
    const top = Math.floor(gridY);
    const below = Math.min(rows - 1, top + 1);
    const shareY = gridY - top;
    for (let x = 0; x < width; x += 1, at += 1) {
      const gridX = Math.min(columns - 1, Math.max(0, x / square - 0.5));
      const left = Math.floor(gridX);
      const right = Math.min(columns - 1, left + 1);
      const shareX = gridX - left;
      const above = mix(paper[top * columns + left] ?? WHITE, paper[top * columns + right] ?? WHITE, shareX);
      const under = mix(
        paper[below * columns + left] ?? WHITE,
        paper[below * columns + right] ?? WHITE,
        shareX,
      );
      const share = (data[at] as number) / mix(above, under, shareY);
      even[at] = Math.max(0, Math.min(WHITE, ((share - ink) / span) * WHITE));
    }
  }
  return { data: even, width, height };
}

const mix = (a: number, b: number, share: number) => a + (b - a) * share;

/** The 90th percentile of the brightness in each square. */
function brightnessOfPaper(
  data: Uint8Array,
  width: number,
  height: number,
  square: number,
  columns: number,
  rows: number,
): Float32Array {
  const paper = new Float32Array(columns * rows);
  const counts = new Uint32Array(256);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      counts.fill(0);
      let all = 0;
      const endY = Math.min(height, (row + 1) * square);
      const endX = Math.min(width, (column + 1) * square);
      for (let y = row * square; y < endY; y += 2) {
        for (let x = column * square; x < endX; x += 1) {
          const value = data[y * width + x] as number;
          counts[value] = (counts[value] as number) + 1;
          all += 1;
        }
      }
      let [level, above] = [WHITE, 0];
      while (level > 0 && above + (counts[level] as number) < all * 0.1) {
        above += counts[level] as number;
        level -= 1;
      }
      paper[row * columns + column] = level;
    }
  }
  return paper;
}

/** Replaces each square by the second brightest of its neighbours, so that bold type is not taken for paper. */
function spread(paper: Float32Array, columns: number, rows: number): Float32Array {
  const wide = new Float32Array(paper.length);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      let [first, second] = [0, 0];
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y += 1) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x += 1) {
          const value = paper[y * columns + x] as number;
          if (value > first) [first, second] = [value, first];
          else if (value > second) second = value;
        }
      }
      wide[row * columns + column] = Math.max(32, second);
    }
  }
  return wide;
}

/** The brightness of the page's ink, as a share of the paper's. */
function inkBrightness(
  data: Uint8Array,
  width: number,
  height: number,
  paper: Float32Array,
  square: number,
  columns: number,
): number {
  const counts = new Uint32Array(256);
  let dark = 0;
  for (let y = 0; y < height; y += 3) {
    for (let x = 0; x < width; x += 3) {
      const level = paper[Math.floor(y / square) * columns + Math.floor(x / square)] as number;
      const share = Math.min(WHITE, Math.round(((data[y * width + x] as number) / level) * WHITE));
      if (share > 0.7 * WHITE) continue;
      counts[share] = (counts[share] as number) + 1;
      dark += 1;
    }
  }
  let [level, sum] = [0, 0];
  while (level < WHITE && sum + (counts[level] as number) < dark * 0.1) {
    sum += counts[level] as number;
    level += 1;
  }
  return level / WHITE;
}

/** Measures the skew of a page: the angle at which the dark pixels are in the fewest rows. */
export function skewOf(picture: GreyPicture): Skew {
  const points = darkPoints(picture);
  const across = bestAngle(points, false);
  const upwards = bestAngle(points, true);
  return upwards.score > across.score * 1.2
    ? { degrees: upwards.degrees, isSideways: true }
    : { degrees: across.degrees, isSideways: false };
}

interface Points {
  x: Float32Array;
  y: Float32Array;
  size: number;
}

/** The dark pixels of a small copy. */
function darkPoints({ data, width, height }: GreyPicture): Points {
  const step = Math.max(1, Math.floor(Math.max(width, height) / SKEW_PIXELS));
  const x: number[] = [];
  const y: number[] = [];
  for (let row = 0; row + step <= height; row += step) {
    for (let column = 0; column + step <= width; column += step) {
      let sum = 0;
      for (let dy = 0; dy < step; dy += 1) {
        for (let dx = 0; dx < step; dx += 1) sum += data[(row + dy) * width + column + dx] as number;
      }
      if (sum < step * step * 150) {
        x.push(column / step);
        y.push(row / step);
      }
    }
  }
  const every = Math.max(1, Math.ceil(x.length / MAX_POINTS));
  const taken = (list: number[]) => Float32Array.from(list.filter((_, index) => index % every === 0));
  return { x: taken(x), y: taken(y), size: Math.ceil((width + height) / step) };
}

function bestAngle(points: Points, isSideways: boolean): { degrees: number; score: number } {
  let best = { degrees: 0, score: -1 };
  const tryAngle = (degrees: number) => {
    const score = sharpness(points, degrees, isSideways);
    if (score > best.score) best = { degrees, score };
  };
  tryAngle(0);
  for (let degrees = -MAX_SKEW; degrees <= MAX_SKEW; degrees += 0.5) tryAngle(degrees);
  const middle = best.degrees;
  for (let degrees = middle - 0.4; degrees <= middle + 0.4; degrees += 0.1) tryAngle(degrees);
  return best;
}

/** The difference between neighbouring rows in dark pixels, which is largest when rows are lines of text. */
function sharpness({ x, y, size }: Points, degrees: number, isSideways: boolean): number {
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const rows = new Float32Array(3 * size);
  for (let i = 0; i < x.length; i += 1) {
    const [px, py] = [x[i] as number, y[i] as number];
    const row = Math.round((isSideways ? px * cos + py * sin : py * cos - px * sin) + size);
    rows[row] = (rows[row] ?? 0) + 1;
  }
  let sum = 0;
  for (let row = 1; row < rows.length; row += 1) {
    sum += ((rows[row] as number) - (rows[row - 1] as number)) ** 2;
  }
  return sum;
}

/** Turns a page clockwise by quarters of a turn. */
export function turn({ data, width, height }: GreyPicture, quarters: number): GreyPicture {
  if (quarters === 0) return { data, width, height };
  const isSideways = quarters % 2 === 1;
  const [newWidth, newHeight] = isSideways ? [height, width] : [width, height];
  const turned = new Uint8Array(data.length);
  // Offsets in the original page: of the new corner, and of steps to the right and downwards.
  const [start, right, down] =
    quarters === 1
      ? [(height - 1) * width, -width, 1]
      : quarters === 2
        ? [data.length - 1, -1, -width]
        : [width - 1, width, -1];
  for (let y = 0, at = 0; y < newHeight; y += 1) {
    for (let x = 0, from = start + y * down; x < newWidth; x += 1, at += 1, from += right) {
      turned[at] = data[from] as number;
    }
  }
  return { data: turned, width: newWidth, height: newHeight };
}

/** Turns a page counter-clockwise by a few degrees about its middle; the area outside is white. */
export function straighten({ data, width, height }: GreyPicture, degrees: number): GreyPicture {
  if (degrees === 0) return { data, width, height };
  const straight = new Uint8Array(data.length).fill(WHITE);
  const from = pointBefore(degrees, width, height);
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  for (let y = 0, at = 0; y < height; y += 1) {
    let [fromX, fromY] = from(0, y);
    for (let x = 0; x < width; x += 1, at += 1, fromX += cos, fromY += sin) {
      if (fromX < 0 || fromY < 0) continue;
      const left = Math.floor(fromX);
      const top = Math.floor(fromY);
      if (left + 1 >= width || top + 1 >= height) continue;
      const corner = top * width + left;
      const shareX = fromX - left;
      const above = mix(data[corner] as number, data[corner + 1] as number, shareX);
      const under = mix(data[corner + width] as number, data[corner + width + 1] as number, shareX);
      straight[at] = mix(above, under, fromY - top);
    }
  }
  return { data: straight, width, height };
}

/** The position of a point before {@link straighten}. */
export function pointBefore(degrees: number, width: number, height: number) {
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const [middleX, middleY] = [width / 2, height / 2];
  return (x: number, y: number): [number, number] => {
    const [dx, dy] = [x - middleX, y - middleY];
    return [middleX + dx * cos - dy * sin, middleY + dx * sin + dy * cos];
  };
}

/** The position of a point before {@link turn}, in shares of the page. */
export function pointBeforeTurn(quarters: number, x: number, y: number): [number, number] {
  switch (quarters) {
    case 1:
      return [y, 1 - x];
    case 2:
      return [1 - x, 1 - y];
    case 3:
      return [1 - y, x];
    default:
      return [x, y];
  }
}

/** A page of half the width and height. */
export function halve({ data, width, height }: GreyPicture): GreyPicture {
  const [newWidth, newHeight] = [width >> 1, height >> 1];
  const half = new Uint8Array(newWidth * newHeight);
  for (let y = 0, at = 0; y < newHeight; y += 1) {
    for (let x = 0; x < newWidth; x += 1, at += 1) {
      const corner = 2 * y * width + 2 * x;
      half[at] =
        ((data[corner] as number) +
          (data[corner + 1] as number) +
          (data[corner + width] as number) +
          (data[corner + width + 1] as number)) >>
        2;
    }
  }
  return { data: half, width: newWidth, height: newHeight };
}
