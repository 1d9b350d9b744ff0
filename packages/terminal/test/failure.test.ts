/** What a command says of a system error: a sentence that names the file, and no code of the system. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { TamisClientError } from '../../client/client.ts'
import { failureOf } from '../failure.ts'

const folder = temporaryFolder()

async function failureIn(work: () => unknown) {
  try {
    await work()
  } catch (error) {
    return failureOf(error)
  }
  return undefined
}

describe('failureOf', () => {
  it('names a file that does not exist', async () => {
    assert.deepEqual(await failureIn(() => readFileSync('/no/such/file.eml')), {
      text: 'Cannot read /no/such/file.eml: it does not exist',
      status: 66,
    })
  })

  it('names what is below a file', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    assert.deepEqual(await failureIn(() => mkdir(join(file, 'folder'))), {
      text: `Cannot write ${file}/folder: a part of its path is a file, not a folder`,
      status: 73,
    })
  })

  it('says where a command takes the key from that the service asks for', () => {
    const error = new TamisClientError('UNAUTHENTICATED', 'This request needs an API key')
    assert.deepEqual(failureOf(error), {
      text: 'This request needs an API key. Put the key into TAMIS_API_KEY, or name a file that has it with --key-file (UNAUTHENTICATED)',
      status: 77,
    })
  })

  it('names the user who has no permission', () => {
    const denied = { code: 'EACCES', syscall: 'open', path: '/root/mail' }
    const { text } = failureOf(Object.assign(new Error('EACCES: denied'), denied))!
    assert.equal(text, `Cannot read /root/mail: the user ${userInfo().username} has no permission`)
  })
})
