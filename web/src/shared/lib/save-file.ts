export function saveFile(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // Revoke the URL later, since the browser reads the bytes only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
