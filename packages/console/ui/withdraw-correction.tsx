/** A correction that is behind a verdict, and the button that withdraws it. */
import { useState } from 'preact/hooks'
import { tamis } from '../api.ts'
import { dayTime } from '../format.ts'
import { Button, ErrorNote, Icon } from './parts.tsx'
import { PlainText } from './plain-text.tsx'
import { useAttempt } from './use-answer.ts'

export interface ShownCorrection {
  readonly feedbackId: string
  readonly label: string
  readonly createdAt: string
  readonly authenticatedDomain?: string | undefined
  readonly claimedDomain?: string | undefined
}

/** Of whose mail it was, as far as that is kept. */
export function senderText({
  authenticatedDomain,
  claimedDomain,
}: Pick<ShownCorrection, 'authenticatedDomain' | 'claimedDomain'>): string {
  if (authenticatedDomain !== undefined) return `${authenticatedDomain} (authenticated)`
  return claimedDomain === undefined ? 'sender not kept' : `claims ${claimedDomain} (not verified)`
}

export function WithdrawCorrection({
  correction,
  onWithdrawn = () => {},
}: {
  readonly correction: ShownCorrection
  readonly onWithdrawn?: () => void
}) {
  const [isWithdrawn, setIsWithdrawn] = useState(false)
  const [failure, attempt] = useAttempt()
  const { feedbackId, label, createdAt } = correction
  const withdraw = async () => {
    await tamis().delete('/feedback/{feedbackId}', { params: { path: { feedbackId } } })
    setIsWithdrawn(true)
    onWithdrawn()
  }
  return (
    <span class="quiet">
      Correction of {dayTime(createdAt)}: {label === 'ham' ? 'not spam' : label},{' '}
      <PlainText text={senderText(correction)} />{' '}
      {isWithdrawn ? (
        <span role="status">withdrawn</span>
      ) : (
        <Button
          class="link"
          aria-label={`Withdraw the correction of ${dayTime(createdAt)}`}
          onClick={() => void attempt(withdraw)}
        >
          <Icon name="undo" /> Withdraw
        </Button>
      )}
      {failure !== undefined && <ErrorNote error={failure} />}
    </span>
  )
}
