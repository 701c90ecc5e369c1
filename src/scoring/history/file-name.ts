/** A file by its name and the folder it lies in: an agent names the same file from several folders. */
export function fileName(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .split('/')
    .slice(-2)
    .join('/');
}
