/** Writes files into texts; strings have one character for each byte. */

/** Bytes of a line of uuencode (POSIX). */
const LINE_BYTES = 45

export function uuencoded(fileName: string, content: string): string {
  const bytes = Buffer.from(content, 'latin1')
  let lines = ''
  for (let at = 0; at < bytes.length; at += LINE_BYTES) {
    const line = bytes.subarray(at, at + LINE_BYTES)
    lines += digit(line.length)
    for (let i = 0; i < line.length; i += 3) {
      const [a = 0, b = 0, c = 0] = line.subarray(i, i + 3)
      lines += [a >> 2, (a << 4) | (b >> 4), (b << 2) | (c >> 6), c].map(digit).join('')
    }
    lines += '\n'
  }
  return `begin 644 ${fileName}\n${lines}\`\nend\n`
}

/** A grave accent for zero, since spaces get lost. */
function digit(value: number): string {
  return String.fromCharCode((value & 63) === 0 ? 0x60 : (value & 63) + 0x20)
}

/** By yEnc draft 1.3, with lines of 128 characters. */
export function yEncoded(fileName: string, content: string): string {
  const data = content.replaceAll(/[\s\S]/g, (character) => {
    const byte = (character.charCodeAt(0) + 42) & 0xff
    const critical = [0x00, 0x0a, 0x0d, 0x3d].includes(byte)
    return critical ? `=${String.fromCharCode((byte + 64) & 0xff)}` : String.fromCharCode(byte)
  })
  // A pair of '=' and its character is not parted.
  const lines = data.replaceAll(/(?:=[\s\S]|[\s\S]){1,128}/g, '$&\n')
  return `=ybegin line=128 size=${content.length} name=${fileName}\n${lines}=yend size=${content.length}\n`
}
