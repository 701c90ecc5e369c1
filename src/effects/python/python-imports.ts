/** What a statement with `import` brings into scope. */

export interface Imported {
  /** The full name of what is imported; of the module when all its names are. */
  name: string;
  /** The name in the script; `*` for all names of the module. */
  bound: string;
  /** What that name stands for: `import a.b` binds `a`. */
  refersTo: string;
}

export function readImport(statement: string): Imported[] {
  const source = statement
    .replace(/#.*$/gm, '')
    .replace(/[()\\\n]/g, ' ')
    .trim();
  const from = /^from\s+([\w.]+)\s+import\s+(.*)$/s.exec(source);
  const names = (from?.[2] ?? source.replace(/^import\s+/, '')).split(',');
  return names.flatMap((item): Imported[] => {
    const [name = '', , alias] = item.trim().split(/\s+/);
    if (name === '') return [];
    if (from === null) {
      if (name === '*') return [];
      const [first = ''] = name.split('.');
      return [{ name, bound: alias ?? first, refersTo: alias === undefined ? first : name }];
    }
    const module = from[1]!;
    if (name === '*') return [{ name: module, bound: '*', refersTo: module }];
    return [{ name: `${module}.${name}`, bound: alias ?? name, refersTo: `${module}.${name}` }];
  });
}
