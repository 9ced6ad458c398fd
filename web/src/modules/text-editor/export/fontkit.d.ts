declare module 'fontkit' {
  export function create(bytes: Uint8Array): {
    hasGlyphForCodePoint(code: number): boolean;
    unitsPerEm: number;
    layout(text: string): { advanceWidth: number };
  };
}
