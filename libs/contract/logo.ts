/** Geometry of the logo in an SVG with a 24 × 24 view box: a ring, two crossing lines, and a dot in the accent colour. */
export const logo = {
  size: 24,
  center: 12,
  ringRadius: 6.5,
  dotRadius: 2.75,
  lines: 'M12 1v22M1 12h22',
  strokeWidth: 1.5,
} as const;
