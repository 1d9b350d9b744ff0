/** S/MIME and winmail.dat around a text, as small as they may be. */

/** A DER element. */
export function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), content])
}

const SIGNED_DATA = der(0x06, Buffer.from('2a864886f70d010702', 'hex'))
const DATA = der(0x06, Buffer.from('2a864886f70d010701', 'hex'))
const VERSION = der(0x02, Buffer.from([1]))
const ALGORITHMS = der(0x31, der(0x30, der(0x06, Buffer.from('608648016503040201', 'hex'))))
const SIGNERS = der(0x31, Buffer.alloc(0))

/** signed-data (RFC 5652 §5) whose content is `entity`, without a signature. */
export function signedData(entity: string): Buffer {
  const content = der(0x30, Buffer.concat([DATA, der(0xa0, der(0x04, Buffer.from(entity)))]))
  const signed = der(0x30, Buffer.concat([VERSION, ALGORITHMS, content, SIGNERS]))
  return der(0x30, Buffer.concat([SIGNED_DATA, der(0xa0, signed)]))
}

const END = Buffer.from([0, 0])

/** The same in BER as Outlook writes it: no length is stated, and `entity` is in pieces. */
export function streamedSignedData(entity: string, pieceLength = 10): Buffer {
  const open = (tag: number) => Buffer.from([tag, 0x80])
  const pieces = entity.match(new RegExp(`[^]{1,${pieceLength}}`, 'g')) ?? []
  return Buffer.concat([
    ...[open(0x30), SIGNED_DATA, open(0xa0), open(0x30), VERSION, ALGORITHMS],
    ...[open(0x30), DATA, open(0xa0), open(0x24)],
    ...pieces.map((piece) => der(0x04, Buffer.from(piece))),
    ...[END, END, END, SIGNERS, END, END, END],
  ])
}

/** The base64 of `bytes` in lines. */
export function base64Lines(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('base64')
    .replace(/.{1,76}/g, '$&\r\n')
}

/** A winmail.dat (MS-OXTNEF) of these attributes. */
export function tnef(...attributes: readonly (readonly [id: number, data: Uint8Array])[]): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt32LE(0x223e9f78)
  const written = attributes.map(([id, data]) => {
    const start = Buffer.alloc(9)
    start.writeUInt8(1)
    start.writeUInt32LE(id, 1)
    start.writeUInt32LE(data.length, 5)
    return Buffer.concat([start, data, Buffer.alloc(2)])
  })
  return Buffer.concat([head, ...written])
}

/** A table of MAPI properties, each with a value of its own length. */
export function mapiProperties(
  ...properties: readonly (readonly [type: number, id: number, value: Uint8Array])[]
): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32LE(properties.length)
  const written = properties.map(([type, id, value]) => {
    const start = Buffer.alloc(12)
    start.writeUInt16LE(type)
    start.writeUInt16LE(id, 2)
    start.writeUInt32LE(1, 4)
    start.writeUInt32LE(value.length, 8)
    return Buffer.concat([start, value, Buffer.alloc(-value.length & 3)])
  })
  return Buffer.concat([count, ...written])
}
