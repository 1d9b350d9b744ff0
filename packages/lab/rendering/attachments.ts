/** Files for texts that speak of one: of true types, with random octets inside. */
import type { Dice, Shares } from './dice.ts'
import { type Entity, fileEntity } from './mime.ts'
import { drawsOf } from './templates.ts'
import type { WrittenMessage } from './written-message.ts'

const MENTION =
  /\battach(?:ed|ment)|im anhang|angehängt|beigefügt|adjunt|anexo|em anexo|pièce jointe|ci-joint|allegat|bijlage|załącz|вложени|прикреп|bifog/i

/** The share with an attachment among the messages that mention one; the others forgot it. */
const ATTACHED_SHARE = 0.7

interface FileKind {
  readonly type: string
  readonly extension: string
  /** The octets by which files of the type begin. */
  readonly magic: string
}

const FILE_KINDS = drawsOf<Shares<FileKind>>('files')

const NAMES = ['document', 'scan', 'IMG', 'invoice', 'notes', 'draft', 'form', 'report', 'plan']

/** Small, since size is what an attachment could least be told by. */
const OCTETS_MIN = 1_000
const OCTETS_MAX = 6_000

export function attachmentsOf({ body }: WrittenMessage, dice: Dice): Entity[] {
  if (!MENTION.test(body) || !dice.chance(ATTACHED_SHARE)) return []
  const kind = dice.draw(FILE_KINDS)
  const name = `${dice.pick(NAMES)}_${dice.integer(1, 9999)}.${kind.extension}`
  const filling = dice.characters(
    '0123456789abcdefghijklmnopqrstuvwxyz\n',
    dice.integer(OCTETS_MIN, OCTETS_MAX),
  )
  return [fileEntity(kind.type, name, Buffer.from(kind.magic + filling, 'latin1'))]
}
