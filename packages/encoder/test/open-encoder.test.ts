/** The encoder that comes with Tamis, run for real; skipped where onnxruntime has no build for this machine. */
import assert from 'node:assert/strict'
import { appendFileSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { WINDOW_PIECES, WINDOWS_MAX, windowsOf } from '../encoder.ts'
import { type Encoder, embedText, openEncoder } from '../open-encoder.ts'

const SHIPPED = join(import.meta.dirname, '../../../artifacts/encoder')

describe('the encoder', () => {
  let encoder: Encoder
  before(async () => {
    encoder = await openEncoder(SHIPPED)
  })
  after(() => encoder.close())

  it('says the same of a sentence and its translation, and another thing of another', async () => {
    const [english, german, other] = await Promise.all(
      ['Your parcel arrives tomorrow', 'Ihr Paket kommt morgen an', 'The meeting is postponed'].map(
        embedding,
      ),
    )
    assert.ok(cosine(english!, german!) > 0.9)
    assert.ok(cosine(english!, other!) < 0.87)
  })

  it('gives 384 numbers of length 1', async () => {
    const vector = await embedding('hello')
    assert.equal(vector.length, 384)
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6)
  })

  it('gives the same for the same text, whatever was read between', async () => {
    const first = await embedding('Please confirm the new account')
    await embedding('x '.repeat(500))
    assert.deepEqual(await embedding('Please confirm the new account'), first)
  })

  it('reads no more pieces than asked for, of a million characters without a blank', () => {
    const { table } = encoder
    for (const text of [
      'a'.repeat(1_000_000),
      '\ud800'.repeat(1_000_000),
      '\u{10ffff}'.repeat(500_000),
      // A ligature of 18 letters.
      '\ufdfa'.repeat(1_000_000),
    ]) {
      assert.ok(windowsOf(text, table).every(({ length }) => length <= WINDOW_PIECES))
      assert.ok(windowsOf(text, table).length <= WINDOWS_MAX)
    }
  })

  it('embeds a text that is longer than a window as a mean of windows', async () => {
    const long = 'The parcel is on its way to you. '.repeat(200)
    assert.ok(windowsOf(long, encoder.table).length > 1)
    assert.ok(
      cosine(await embedding(long), await embedding('The parcel is on its way to you.')) > 0.8,
    )
  })

  function embedding(text: string): Promise<Float32Array> {
    return embedText(encoder, text)
  }
})

describe('an encoder that cannot be opened', () => {
  it('is missing', async () => {
    await assert.rejects(openEncoder(temporaryFolder()), {
      code: 'ARTIFACT_MISMATCH',
      message: /^Cannot read .*manifest\.json$/,
    })
  })

  for (const name of ['first.onnx', 'rows.bin', 'vocabulary.txt']) {
    it(`has a damaged ${name}`, async () => {
      const folder = temporaryFolder()
      cpSync(SHIPPED, folder, { recursive: true })
      appendFileSync(join(folder, name), 'x')
      await assert.rejects(openEncoder(folder), {
        code: 'ARTIFACT_MISMATCH',
        message: `${join(folder, name)} is not the file that the manifest names`,
      })
      rmSync(folder, { recursive: true })
    })
  }

  it('has no runtime on this machine', async () => {
    await assert.rejects(openEncoder(SHIPPED, 'tamis-no-such-runtime'), {
      code: 'ENCODER_UNAVAILABLE',
    })
  })
})

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}
