/** All data of a user deleted, and the receipt for it. */
import { useEffect, useState } from 'preact/hooks'
import type { DeletedData, JobResult } from '../../client/client.ts'
import { tamis } from '../api.ts'
import { count, dayTime } from '../format.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Badge, Button, Fact, Field, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'

export function DeleteUser({
  userId,
  onConfirm,
  onClose,
}: {
  readonly userId: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  return (
    <Dialog
      title="Delete all data of this user?"
      confirm="Delete"
      danger
      disabled={typed.trim() !== userId}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        Rules, memory and corrections of{' '}
        <strong>
          <PlainText text={userId} />
        </strong>{' '}
        are deleted, and the models are rebuilt as if this user had never existed. This cannot be
        undone.
      </p>
      <Field
        label="Type the id of the user to confirm"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </Dialog>
  )
}

/** How often the rebuilding of the models is asked after. */
const LOOK_MS = 1_000

const STATES: Readonly<Record<JobResult['state'], string>> = {
  queued: 'models waiting to be rebuilt',
  running: 'models being rebuilt',
  done: 'models rebuilt',
  failed: 'rebuilding the models failed',
}

export function Receipt({ receipt }: { readonly receipt: DeletedData }) {
  const state = useJobState(receipt.jobId)
  const { rules, memory, feedback } = receipt.deleted
  return (
    <Panel
      title="Receipt"
      class="receipt"
      aside={
        <Badge tone={state === 'done' ? 'ham' : state === 'failed' ? 'spam' : 'warn'}>
          {STATES[state]}
        </Badge>
      }
    >
      <div role="status">
        <dl class="facts-list">
          <Fact name="user">
            <PlainText text={receipt.userId} />
          </Fact>
          <Fact name="deleted">{dayTime(receipt.deletedAt)}</Fact>
          <Fact name="rules" class="number">
            {count(rules)}
          </Fact>
          <Fact name="in the memory" class="number">
            {count(memory)}
          </Fact>
          <Fact name="corrections in the log" class="number">
            {count(feedback)}
          </Fact>
          <Fact name="job">
            <code>{receipt.jobId}</code>
          </Fact>
        </dl>
      </div>
      <div class="actions">
        <Button onClick={() => save(receipt)}>Save the receipt</Button>
      </div>
    </Panel>
  )
}

function useJobState(jobId: string): JobResult['state'] {
  const [state, setState] = useState<JobResult['state']>('queued')
  const isOver = state === 'done' || state === 'failed'
  useEffect(() => {
    if (isOver) return
    const look = async () => {
      try {
        setState((await tamis().get('/jobs/{jobId}', { params: { path: { jobId } } })).state)
      } catch {
        // Asked again with the next beat; what is deleted is deleted already.
      }
    }
    void look()
    const timer = setInterval(() => void look(), LOOK_MS)
    return () => clearInterval(timer)
  }, [jobId, isOver])
  return state
}

/** As a file, for the person who asked for the deletion. */
function save(receipt: DeletedData): void {
  const file = new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `deleted-${receipt.deletedAt.slice(0, 10)}.json`
  link.click()
  URL.revokeObjectURL(link.href)
}
