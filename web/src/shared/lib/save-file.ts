export function saveFile(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // Revoke the URL later, since the browser reads the bytes only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Lets the browser download an address of this server, under the name that the response gives. */
export function downloadFrom(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
