import {
  measureArtwork,
  measureCosts,
  measureCutOuts,
  measureFillings,
  type Cost,
} from './images/measure.ts';

export async function report(): Promise<string[]> {
  const cutOuts = await measureCutOuts();
  const fillings = await measureFillings();
  const [small, large] = [await measureCosts(1024), await measureCosts(4000)];
  const artwork = await measureArtwork();
  return [
    'background: intersection over union with the known mask, 1 is perfect',
    ...cutOuts.map(({ name, hard, value }) => `  ${value?.toFixed(3) ?? 'refused'}  ${name}${mark(hard)}`),
    'object: PSNR of the filled area against the picture without the object',
    ...fillings.map(({ name, hard, value }) => `  ${value?.toFixed(1)} dB  ${name}${mark(hard)}`),
    `background, 1024 x 768   ${formatCost(small.background)}`,
    `background, 4000 x 3000  ${formatCost(large.background)}`,
    `object, 1024 x 768       ${formatCost(small.object)}`,
    `object, 4000 x 3000      ${formatCost(large.object)}`,
    `artwork, 1024 x 1024     ${artwork.map(({ style, milliseconds }) => `${style} ${(milliseconds / 1000).toFixed(1)} s`).join(', ')}`,
  ];
}

const mark = (hard: boolean) => (hard ? ' (hard)' : '');
const formatCost = ({ milliseconds, peakMb }: Cost) =>
  `${(milliseconds / 1000).toFixed(2)} s, at most ${Math.round(peakMb)} MB in use`;
