/** Text in charsets that Node only reads: by the inverse of what TextDecoder makes of every byte and pair of bytes. */

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>()

/** `text` in `charset`, a name of TextDecoder, iso-2022-jp among them. Throws for a character that it lacks. */
export function encodeText(text: string, charset: string): Buffer {
  if (charset === 'utf-8') return Buffer.from(text)
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  if (charset === 'iso-2022-jp') return inIso2022Jp(text)
  const table = tables.get(charset) ?? newTable(charset)
  tables.set(charset, table)
  return Buffer.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character)
      if (bytes === undefined) throw new RangeError(`${charset} has no ${character}`)
      return bytes
    }),
  )
}

function newTable(charset: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(charset)
  const table = new Map<string, readonly number[]>()
  const add = (bytes: readonly number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes))
    if ([...character].length === 1 && character !== '\ufffd' && !table.has(character)) {
      table.set(character, bytes)
    }
  }
  for (let first = 0; first < 256; first++) add([first])
  if (!/^(?:gb|big5|euc-|shift_jis)/.test(charset)) return table
  for (let first = 0x81; first < 0xff; first++) {
    for (let second = 0x40; second < 0xff; second++) add([first, second])
  }
  return table
}

/** Between escapes, seven bits of each byte of EUC-JP (RFC 1468). */
function inIso2022Jp(text: string): Buffer {
  const pieces = text.match(/[\x00-\x7f]+|[^\x00-\x7f]+/g) ?? []
  return Buffer.concat(
    pieces.map((piece) => {
      const bytes = encodeText(piece, 'euc-jp')
      if (piece < '\x80') return bytes
      const seven = bytes.map((byte) => byte & 0x7f)
      return Buffer.concat([Buffer.from('\x1b$B'), seven, Buffer.from('\x1b(B')])
    }),
  )
}
