/**
 * The module of a worker thread, beside the one that starts it: `name`.ts as it stands, `name`.js
 * when compiled. `importer` is the latter's import.meta.url.
 */
export function workerModule(importer: string, name: string): URL {
  return new URL(`./${name}.${importer.endsWith('.ts') ? 'ts' : 'js'}`, importer)
}
