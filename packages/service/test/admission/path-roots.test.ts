/** What the path forms may open, with somebody at work who swaps folders for links meanwhile. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { PathRoots } from '../../admission/path-roots.ts'

const INSIDE = 'From: a@example.com\n\ninside'
const OUTSIDE = 'From: a@example.com\n\noutside'

/** Opened while folders are swapped: without a check after the opening dozens of these read outside. */
const RACES = 2_000

/** At a time, so that openings and swaps come between each other. */
const CONCURRENT = 16

describe('PathRoots', () => {
  it('reads nothing outside while a folder on the way is swapped for a link as fast as can be', async (t) => {
    const { mail, outside, roots } = await folders()
    const spot = join(mail, 'spot')
    await mkdir(spot)
    await writeFile(join(spot, 'a.eml'), INSIDE)
    await writeFile(join(outside, 'a.eml'), OUTSIDE)
    await symlink(outside, join(mail, 'link'))
    swap(t, [spot, join(mail, 'real'), join(mail, 'link')])

    const counts = { inside: 0, outside: 0, refused: 0 }
    let left = RACES
    const race = async () => {
      while (left-- > 0) counts[await read(roots, join(spot, 'a.eml'))]++
    }
    await Promise.all(Array.from({ length: CONCURRENT }, race))
    assert.equal(counts.outside, 0, JSON.stringify(counts))
  })

  it('refuses a FIFO at once, and does not wait for somebody to write', async () => {
    const { mail, roots } = await folders()
    execFileSync('mkfifo', [join(mail, 'fifo.eml')])
    await assert.rejects(roots.openFile(join(mail, 'fifo.eml')), { code: 'PATH_NOT_READABLE' })
  })

  it('reads nothing in a folder whose name begins like one that may be read', async () => {
    const { mail, roots } = await folders()
    await mkdir(`${mail}-beside`)
    await writeFile(join(`${mail}-beside`, 'a.eml'), OUTSIDE)
    assert.equal(await read(roots, join(`${mail}-beside`, 'a.eml')), 'refused')
  })

  it('reads the root of the file system where that is allowed', async () => {
    const { mail } = await folders()
    await writeFile(join(mail, 'a.eml'), INSIDE)
    assert.equal(await read(await PathRoots.open(['/']), join(mail, 'a.eml')), 'inside')
  })
})

async function folders() {
  const base = temporaryFolder()
  const [mail, outside] = [join(base, 'mail'), join(base, 'outside')]
  await Promise.all([mkdir(mail), mkdir(outside)])
  return { mail, outside, roots: await PathRoots.open([mail]) }
}

/** Until the test ends; registered after the folders' removal, and so done before it. */
function swap(t: TestContext, paths: readonly string[]): void {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'swap-folder.ts'), ...paths])
  t.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
}

async function read(roots: PathRoots, path: string): Promise<'inside' | 'outside' | 'refused'> {
  const opened = await roots.openFile(path).catch(({ code }: { code: string }) => {
    assert.equal(code, 'PATH_NOT_READABLE')
  })
  if (opened === undefined) return 'refused'
  const text = await opened.file.readFile('utf8')
  await opened.file.close()
  return text === INSIDE ? 'inside' : 'outside'
}
