import { expect, it } from '@jest/globals';
import sharp from 'sharp';
import { addPhotoMetadata, readPhotoMetadata } from './photo-metadata.js';

const details = {
  takenAt: '2024:05:01 10:30:00',
  artist: 'Åsa Lindqvist',
  copyright: '© 2024 Åsa Lindqvist, all rights reserved 🌊',
};
const plain = { create: { width: 8, height: 8, channels: 3, background: '#204060' } } as const;

it('reads date, artist and copyright of a photo, and nothing else', async () => {
  const jpeg = await sharp(plain)
    .withExif({
      // sharp writes ASCII only.
      IFD0: { Artist: 'Mara Brandt', Copyright: '(C) Mara', Make: 'Nikon', Orientation: '6' },
      IFD2: { DateTimeOriginal: details.takenAt },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' },
    })
    .jpeg()
    .toBuffer();
  expect(await readPhotoMetadata(jpeg)).toEqual({
    takenAt: details.takenAt,
    artist: 'Mara Brandt',
    copyright: '(C) Mara',
  });
});

it('writes them to a PNG that other programs read', async () => {
  const png = await sharp(plain).png().toBuffer();
  const written = addPhotoMetadata(png, details);
  expect(await readPhotoMetadata(written)).toEqual(details);
  const { data } = await sharp(written).raw().toBuffer({ resolveWithObject: true });
  expect(data[0]).toBe(0x20);
  expect(Buffer.from(written).includes('GPS')).toBe(false);
});

it.each([{ copyright: 'me' }, { takenAt: details.takenAt }, { artist: 'a' }])(
  'writes a part: %j',
  async (part) => {
    const png = await sharp(plain).png().toBuffer();
    expect(await readPhotoMetadata(addPhotoMetadata(png, part))).toMatchObject(part);
  },
);

it('leaves a picture without details, or with a damaged block, as it is', async () => {
  const png = await sharp(plain).png().toBuffer();
  expect(addPhotoMetadata(png, await readPhotoMetadata(png))).toBe(png);
  expect(await readPhotoMetadata(Buffer.from('no picture'))).toEqual({});
});
