/**
 * The URL of a thread's module, which is next to the module that starts it: `name`.ts in the
 * sources, `name`.js when compiled. `importer` is the import.meta.url of the starting module.
 */
export function moduleBeside(importer: string, name: string): URL {
  return new URL(`./${name}.${importer.endsWith('.ts') ? 'ts' : 'js'}`, importer)
}
