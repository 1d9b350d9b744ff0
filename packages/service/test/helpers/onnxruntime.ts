/**
 * The real onnxruntime-node for tests: where Node finds it, in the node_modules that
 * TAMIS_TEST_ONNXRUNTIME names, or where scripts/ci-services puts it.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'

const INSTALLED = process.env['TAMIS_TEST_ONNXRUNTIME'] ?? '/opt/tamis-test/node_modules'

export const runtime = await findRuntime()
export const skip =
  runtime === undefined && `onnxruntime-node can be loaded neither by name nor from ${INSTALLED}`

/** What to import; undefined where there is none. */
async function findRuntime(): Promise<string | undefined> {
  const require = createRequire(import.meta.url)
  for (const name of ['onnxruntime-node', join(INSTALLED, 'onnxruntime-node')]) {
    try {
      const url = pathToFileURL(require.resolve(name)).href
      await import(url)
      return url
    } catch {}
  }
  return undefined
}

/** A folder with these files, removed after the test. */
export async function folderOf(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}
