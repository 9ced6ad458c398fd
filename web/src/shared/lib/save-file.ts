/** Has the browser save bytes under a name. */
export function saveFile(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser takes the bytes after the click; the address may go once it has.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
