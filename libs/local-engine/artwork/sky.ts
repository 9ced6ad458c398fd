import { darker, lighter, mix } from './colour.js';
import * as shapes from './shapes.js';
import { n } from './shapes.js';
import type { Studio } from './studio.js';

/** What hangs or flies before the sky, which is the style’s own. */

export function planets({ palette, random, frame, items }: Studio): void {
  const [x, y, r] = [
    frame.width * random.between(0.62, 0.8),
    frame.height * random.between(0.16, 0.26),
    frame.width * random.between(0.07, 0.11),
  ];
  const body = mix(palette.accent, palette.sky[2], 0.35);
  const ring = `M${n(x - r * 1.9)} ${n(y + r * 0.5)}A${n(r * 1.95)} ${n(r * 0.5)} -15 0 0 ${n(x + r * 1.9)} ${n(y - r * 0.5)}A${n(r * 1.95)} ${n(r * 0.34)} -15 0 1 ${n(x - r * 1.9)} ${n(y + r * 0.5)}Z`;
  items.push({ kind: 'planet', d: shapes.disc(x, y, r), fill: body, depth: 0 });
  items.push({ kind: 'planet', d: ring, fill: lighter(body, 0.45), depth: 0 });
  const small = frame.width * 0.025;
  items.push({
    kind: 'planet',
    d: shapes.disc(frame.width * random.between(0.1, 0.35), frame.height * 0.12, small),
    fill: lighter(palette.sky[2], 0.4),
    depth: 0,
  });
}

/** Points of light and the lines between them. */
export function network({ palette, random, frame, items }: Studio): void {
  const points = Array.from({ length: 22 }, (_, k): [number, number] => [
    frame.width * ((k % 6) / 5 + random.between(-0.07, 0.07)),
    frame.height * (0.05 + Math.floor(k / 6) * 0.1 + random.between(-0.035, 0.035)),
  ]);
  const thin = frame.width * 0.0011;
  let [lines, dots] = ['', ''];
  points.forEach(([x, y], k) => {
    dots += shapes.disc(x, y, frame.width * random.between(0.003, 0.008));
    for (const [ox, oy] of points.slice(k + 1)) {
      if (Math.hypot(ox - x, oy - y) > frame.width * 0.19) continue;
      lines += `M${n(x)} ${n(y - thin)}L${n(ox)} ${n(oy - thin)}L${n(ox)} ${n(oy + thin)}L${n(x)} ${n(y + thin)}Z`;
    }
  });
  items.push({ kind: 'wire', d: lines, fill: mix(palette.light, palette.sky[1], 0.45), depth: 0.1 });
  items.push({ kind: 'lamp', d: dots, fill: palette.light, depth: 0.1 });
}

export function birds({ palette, random, frame, items }: Studio): void {
  const [x, y] = [frame.width * random.between(0.25, 0.6), frame.height * random.between(0.16, 0.28)];
  const d = Array.from({ length: 7 }, (_, k) => {
    const side = k % 2 ? 1 : -1;
    const out = Math.ceil(k / 2);
    const size = frame.width * random.between(0.012, 0.022);
    return shapes.gull(
      x + side * out * frame.width * 0.045 * random.between(0.8, 1.2),
      y + out * frame.height * 0.022,
      size,
    );
  }).join('');
  items.push({ kind: 'gull', d, fill: darker(palette.near, 0.6), depth: 0.6 });
}
