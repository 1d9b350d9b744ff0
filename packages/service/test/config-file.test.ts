import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { configFile } from '../config-file.ts'

describe('configFile', () => {
  it('is the one that is named, else that of the machine, else none', async () => {
    const folder = temporaryFolder()
    const machines = join(folder, 'tamis.json')
    assert.equal(configFile({}, machines), undefined)
    assert.equal(configFile({ TAMIS_CONFIG: 'own.json' }, machines), 'own.json')
    await writeFile(machines, '{}')
    assert.equal(configFile({}, machines), machines)
    assert.equal(configFile({ TAMIS_CONFIG: 'own.json' }, machines), 'own.json')
  })
})
