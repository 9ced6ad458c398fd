/** URLs of the files of {@link eastAsianParts}. */
export const eastAsianFiles = import.meta.glob<string>(
  [
    '/../node_modules/@fontsource/noto-sans-hk/files/noto-sans-hk-[0-9]*-{400,700}-normal.woff',
    '/../node_modules/@fontsource/noto-sans-jp/files/noto-sans-jp-[0-9]*-{400,700}-normal.woff',
    '/../node_modules/@fontsource/noto-sans-sc/files/noto-sans-sc-[0-9]*-{400,700}-normal.woff',
  ],
  { query: '?url', import: 'default', eager: true },
);
