/** What is offered for text without header fields: people paste what they have read. */
import { Button, Icon } from '../ui/parts.tsx'
import type { Given } from './judged.ts'

/** The least that makes a message of text: nothing is claimed of who sent it, or when. */
const HEADER = 'MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n'

/** `given` as the body of a message. */
export function asBody({ name, message, isSample }: Given): Given {
  return { name: `${name}, judged as a body`, message: new Blob([HEADER, message]), isSample }
}

export function NotAMessage({ onBody }: { readonly onBody: () => void }) {
  return (
    <div class="error-note" role="alert">
      <Icon name="warning" />
      <div>
        <strong>This text has no header fields.</strong> The source of a message begins with lines
        such as “From: ann@example.org”. Tamis can judge this text as the body of a message. Sender,
        subject and date are then missing, which makes spam more likely by itself.
      </div>
      <Button class="button primary" onClick={onBody}>
        Judge it as a body
      </Button>
    </div>
  )
}
