/** Four bytes per pixel: red, green, blue, alpha. */
type Rgba = Uint8ClampedArray;

export function alphaOf(image: Rgba): Uint8Array {
  const alpha = new Uint8Array(image.length / 4);
  for (let i = 0; i < alpha.length; i += 1) alpha[i] = image[4 * i + 3] ?? 0;
  return alpha;
}

/**
 * Sets the alpha of a cut-out to the mask, in place. Pixels whose alpha doesn't increase keep their colours, since edge
 * pixels no longer contain the old background. Other pixels blend to the colours of the original.
 * @param original of the same size; null if this device doesn't have it, then the alpha of no pixel increases
 */
export function composeCutOut(cutOut: Rgba, original: Rgba | null, mask: Uint8Array): void {
  for (let i = 0, at = 0; i < mask.length; i += 1, at += 4) {
    const before = cutOut[at + 3] ?? 0;
    const after = mask[i] ?? 0;
    if (after === before) continue;
    if (after < before) {
      cutOut[at + 3] = after;
    } else if (original !== null) {
      const restored = (after - before) / (255 - before);
      for (let c = at; c < at + 3; c += 1) {
        const own = before === 0 ? (original[c] ?? 0) : (cutOut[c] ?? 0);
        cutOut[c] = own + ((original[c] ?? 0) - own) * restored;
      }
      cutOut[at + 3] = after;
    }
  }
}

/** Makes a cut-out opaque, in place. Transparent pixels get the colours of the original. */
export function colourUnder(cutOut: Rgba, original: Rgba | null): void {
  for (let at = 0; at < cutOut.length; at += 4) {
    if (original !== null && cutOut[at + 3] === 0) {
      cutOut[at] = original[at] ?? 0;
      cutOut[at + 1] = original[at + 1] ?? 0;
      cutOut[at + 2] = original[at + 2] ?? 0;
    }
    cutOut[at + 3] = 255;
  }
}
