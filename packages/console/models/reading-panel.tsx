/** Whether messages are read a second time for their meaning, and if not, why. */
import type { Ready } from '../../client/types.ts'
import { tamis } from '../api.ts'
import { Badge, ErrorNote, Loading, Panel } from '../ui/parts.tsx'
import { useAnswer } from '../ui/use-answer.ts'

type ReaderState = NonNullable<Ready['reader']>

/** What is read, by the setting TAMIS_READER. */
const MODES: Readonly<Record<ReaderState['mode'], string>> = {
  doubtful:
    'A pretrained encoder reads messages near the threshold once more, for their meaning, and its word is added.',
  always:
    'A pretrained encoder reads all messages once more, for their meaning, and its word is added.',
  off: 'No message is read a second time (TAMIS_READER=off).',
}

export function ReadingPanel() {
  const [answer, again] = useAnswer('ready', () => tamis().ready())
  const reader = answer.value?.reader
  return (
    <Panel title="Second reading" aside={reader && <StateBadge {...reader} />}>
      {answer.step === 'failed' && <ErrorNote error={answer.error} retry={again} />}
      {answer.value === undefined && answer.step === 'asking' && <Loading what="Asking" />}
      {reader !== undefined && (
        <p>
          {MODES[reader.mode]}
          {reader.failure !== null && (
            <>
              {' '}
              Now it cannot, and messages are judged without it: <code>{reader.failure}</code>. The
              log has the cause.
            </>
          )}
        </p>
      )}
    </Panel>
  )
}

function StateBadge({ mode, available }: ReaderState) {
  if (mode === 'off') return <Badge tone="plain">off</Badge>
  return available ? (
    <Badge tone="plain">available</Badge>
  ) : (
    <Badge tone="warn">not available</Badge>
  )
}
