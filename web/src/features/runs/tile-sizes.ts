/** Sizes of the tiles of a batch, with their minimum widths. */
export const tileSizes = [
  { label: 'small', width: '7rem' },
  { label: 'medium', width: '10.5rem' },
  { label: 'large', width: '16rem' },
  { label: 'very large', width: '26rem' },
] as const;
