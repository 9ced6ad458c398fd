import type { Size } from '../../../shared/lib/picture';

export interface PictureSize extends Size {
  id: string;
  label: string;
  /** The margin around the subject, in percent of the shorter side. */
  margin: number;
  /** The required colour; the user can choose another one. */
  background?: string;
  hint?: string;
}

const WHITE = '#ffffff';

/** Sizes that shops, social networks and authorities require, in pixels. */
export const pictureSizes: readonly { group: string; sizes: readonly PictureSize[] }[] = [
  {
    group: 'Shops',
    sizes: [
      {
        ...{ id: 'amazon', label: 'Amazon, main image', width: 2000, height: 2000, margin: 7 },
        background: WHITE,
        hint: 'Amazon requires pure white and a product that fills 85 % of the image.',
      },
      { id: 'ebay', label: 'eBay', width: 1600, height: 1600, margin: 8, background: WHITE },
      { id: 'etsy', label: 'Etsy', width: 2700, height: 2025, margin: 10 },
      { id: 'shopify', label: 'Shopify', width: 2048, height: 2048, margin: 8 },
    ],
  },
  {
    group: 'Social',
    sizes: [
      { id: 'instagram-square', label: 'Instagram, square', width: 1080, height: 1080, margin: 10 },
      { id: 'instagram-portrait', label: 'Instagram, portrait', width: 1080, height: 1350, margin: 10 },
      { id: 'story', label: 'Story or reel', width: 1080, height: 1920, margin: 12 },
      { id: 'facebook', label: 'Facebook or link preview', width: 1200, height: 630, margin: 8 },
      { id: 'linkedin', label: 'LinkedIn, post', width: 1200, height: 627, margin: 8 },
      { id: 'linkedin-profile', label: 'LinkedIn, profile', width: 800, height: 800, margin: 4 },
      { id: 'x', label: 'X, post', width: 1600, height: 900, margin: 8 },
      { id: 'pinterest', label: 'Pinterest', width: 1000, height: 1500, margin: 10 },
      { id: 'youtube', label: 'YouTube, thumbnail', width: 1280, height: 720, margin: 6 },
    ],
  },
  {
    group: 'Documents',
    sizes: [
      {
        ...{ id: 'passport-eu', label: 'Passport, 35 × 45 mm', width: 827, height: 1063, margin: 8 },
        background: WHITE,
        hint: 'Size only. Check the requirements for head position and background.',
      },
      {
        ...{ id: 'passport-us', label: 'Passport, 2 × 2 inches', width: 1200, height: 1200, margin: 10 },
        background: WHITE,
        hint: 'Size only. Check the requirements for head position and background.',
      },
    ],
  },
];

export const findSize = (id: string): PictureSize | undefined =>
  pictureSizes.flatMap(({ sizes }) => sizes).find((size) => size.id === id);
