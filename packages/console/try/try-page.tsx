/** Try: a message in, and all that led to its verdict out. */
import { useEffect, useRef, useState } from 'preact/hooks'
import appointment from '../../../examples/appointment.eml?raw'
import order from '../../../examples/order.eml?raw'
import phishing from '../../../examples/phishing.eml?raw'
import sale from '../../../examples/sale.eml?raw'
import { type DeliveryFields, diagnose, tamis } from '../api.ts'
import { bytes } from '../format.ts'
import code from '../samples/code.eml?raw'
import invoice from '../samples/invoice.eml?raw'
import newsletter from '../samples/newsletter.eml?raw'
import prize from '../samples/prize.eml?raw'
import { pageAddress } from '../ui/page-address.ts'
import { Button, ErrorNote, Field, Form, Icon, Loading } from '../ui/parts.tsx'
import { CorrectPanel, type CorrectPanelProps } from './correct-panel.tsx'
import { AuthenticationPanel, ClassesPanel, LinksPanel } from './facts-panels.tsx'
import { type Correction, type Given, type Judged, sendCorrection } from './judged.ts'
import { MessagePanel } from './message-panel.tsx'
import { VerdictPanel } from './verdict-panel.tsx'
import { WhyPanel } from './why-panel.tsx'

type State =
  | { readonly step: 'start' }
  | { readonly step: 'working'; readonly judged?: Judged | undefined }
  | { readonly step: 'judged'; readonly judged: Judged }
  | { readonly step: 'failed'; readonly error: unknown; readonly judged?: Judged | undefined }

/** Whose mailbox messages are judged for: asked once, and kept as long as the tab is open. */
const MAILBOX = 'tamis-mailbox'

export function TryPage() {
  const [given, setGiven] = useState<Given>()
  const [text, setText] = useState('')
  const [facts, setFacts] = useState<DeliveryFields>(() => ({
    userId: sessionStorage.getItem(MAILBOX) ?? '',
    senderIp: '',
    senderEmail: '',
  }))
  const [state, setState] = useState<State>({ step: 'start' })
  /** Answers to questions that were overtaken are dropped. */
  const asked = useRef(0)

  const work = async (job: () => Promise<Judged>, judged?: Judged) => {
    const turn = ++asked.current
    const set = (next: State) => {
      if (turn === asked.current) setState(next)
    }
    set({ step: 'working', judged })
    try {
      set({ step: 'judged', judged: await job() })
    } catch (error) {
      set({ step: 'failed', error, judged })
    }
  }
  const judge = (next: Given, by = facts) => {
    setGiven(next)
    void work(async () => ({ answer: await diagnose(next.message, by) }))
  }
  const judgeBy = (next: DeliveryFields) => {
    sessionStorage.setItem(MAILBOX, next.userId)
    setFacts(next)
    if (given !== undefined) judge(given, next)
  }
  const judged = 'judged' in state ? state.judged : undefined
  const failed = state.step === 'failed' && judged === undefined
  const startAgain = () => {
    asked.current++
    setGiven(undefined)
    if (!failed) setText('')
    setState({ step: 'start' })
  }
  const isDropping = useDrop((file) => judge({ name: file.name, message: file, isSample: false }))

  return (
    <div class="page">
      <h1 class="for-readers">Try a message</h1>
      {isDropping && (
        <p class="drop-veil" aria-hidden="true">
          Drop the message to see its verdict
        </p>
      )}
      {given !== undefined && (
        <div class="row given">
          <Icon name="file" />
          <strong>
            {given.isSample && 'Sample: '}
            {given.name}
          </strong>
          <span class="quiet">{bytes(given.message.size)}</span>
          <FactFields key={facts.userId} facts={facts} onFacts={judgeBy} />
          {facts.userId !== '' && <a href={pageAddress('users', facts.userId)}>Rules and memory</a>}
          <Button class="button end" onClick={startAgain}>
            Another message
          </Button>
        </div>
      )}
      {state.step === 'working' && judged === undefined && <Loading what="Reading the message" />}
      {state.step === 'failed' && <Failure error={state.error} given={given} judge={judge} />}
      {given === undefined && (
        <div class="welcome">
          <h2>Why did a message get its verdict?</h2>
          <p>
            See what Tamis reads in a message, and the evidence for and against spam. This service
            judges the message and does not store it.
          </p>
        </div>
      )}
      {(given === undefined || failed) && (
        <MessageInput text={text} onText={setText} onMessage={judge} />
      )}
      {given !== undefined && judged !== undefined && (
        <Result
          judged={judged}
          userId={facts.userId}
          isSample={given.isSample}
          busy={state.step === 'working'}
          onCorrect={(correction: Correction) =>
            void work(async () => {
              const corrected = await sendCorrection(given.message, facts, correction)
              const answer = await diagnose(given.message, facts)
              return { answer, before: judged.answer, corrected }
            }, judged)
          }
          onUndo={() =>
            void work(async () => {
              const { feedbackId = '' } = judged.corrected ?? {}
              await tamis().delete('/feedback/{feedbackId}', { params: { path: { feedbackId } } })
              const answer = await diagnose(given.message, facts)
              return { ...judged, answer, before: judged.answer, isWithdrawn: true }
            }, judged)
          }
          onWithdrawn={() => judge(given)}
          onMailbox={(userId) => judgeBy({ ...facts, userId })}
        />
      )}
    </div>
  )
}

/** All that the diagnostic says of a message, laid out for a person: the verdict, why, and then the rest. */
function Result({
  onWithdrawn,
  ...correction
}: CorrectPanelProps & { readonly onWithdrawn: () => void }) {
  const { busy, judged } = correction
  const { answer } = judged
  return (
    <div class="stack" aria-busy={busy}>
      <VerdictPanel answer={answer} onWithdrawn={onWithdrawn} />
      <div class="columns">
        <div class="stack">
          {answer.explanation !== null && (
            <WhyPanel answer={answer} explanation={answer.explanation} />
          )}
          {!answer.result.isSpam && <ClassesPanel tabs={answer.tabs} />}
        </div>
        <div class="stack">
          <CorrectPanel {...correction} />
          <MessagePanel answer={answer} />
          <LinksPanel links={answer.urlScanner.links} />
          <AuthenticationPanel answer={answer} />
        </div>
      </div>
    </div>
  )
}

/** The least that makes a message of text: nothing is claimed of who sent it, or when. */
const HEADER = 'MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n'

/** Text without header fields may be judged as a body: people paste what they have read. */
function Failure({
  error,
  given,
  judge,
}: {
  readonly error: unknown
  readonly given: Given | undefined
  readonly judge: (given: Given) => void
}) {
  if (given === undefined) return <ErrorNote error={error} />
  const isBody = (error as { code?: string }).code === 'NOT_A_MESSAGE' && given.message.size > 0
  if (!isBody) return <ErrorNote error={error} retry={() => judge(given)} />
  const judgeAsBody = () =>
    judge({
      ...given,
      name: `${given.name}, judged as a body`,
      message: new Blob([HEADER, given.message]),
    })
  return (
    <div class="row error-note" role="alert">
      <Icon name="warning" />
      <div>
        <strong>This text has no header fields.</strong> The source of a message begins with lines
        such as “From: ann@example.org”. Tamis can judge this text as the body of a message. Sender,
        subject and date are then missing, which makes spam more likely by itself.
      </div>
      <Button class="button primary" onClick={judgeAsBody}>
        Judge it as a body
      </Button>
    </div>
  )
}

const FACT_FIELDS = [
  ['userId', 'Whose mailbox?', 'The user id, whose rules and corrections count', ''],
  ['senderIp', 'Sending client', 'IP address, if known', '192.0.2.25'],
  ['senderEmail', 'Envelope sender', 'MAIL FROM, if known', 'bounce@example.com'],
] as const

/** For whom a message is judged, and what the delivering server knew of it. */
function FactFields({
  facts,
  onFacts,
}: {
  readonly facts: DeliveryFields
  readonly onFacts: (facts: DeliveryFields) => void
}) {
  const [draft, setDraft] = useState(facts)
  return (
    <details class="facts">
      <summary>
        {facts.userId === '' ? 'without a user' : `in the mailbox of ${facts.userId}`}
      </summary>
      <Form class="row fields" onSubmit={() => onFacts({ ...draft, userId: draft.userId.trim() })}>
        {FACT_FIELDS.map(([name, label, hint, placeholder]) => (
          <Field
            key={name}
            label={label}
            hint={hint}
            placeholder={placeholder}
            value={draft[name]}
            maxLength={256}
            onText={(value) => setDraft({ ...draft, [name]: value })}
          />
        ))}
        <button type="submit" class="button primary">
          Judge again
        </button>
      </Form>
    </details>
  )
}

interface Sample {
  readonly name: string
  /** What is to be seen on it. */
  readonly about: string
  readonly text: string
}

/** Messages to try at once: written by hand, with reserved names. */
const SAMPLES: readonly Sample[] = [
  {
    name: 'A parcel on hold',
    about: 'Phishing: a link shows one address and leads to another',
    text: phishing,
  },
  { name: 'A prize', about: 'Advance-fee fraud without links', text: prize },
  {
    name: 'An invoice',
    about: 'A wrapped link, hidden text and a disguised program',
    text: invoice,
  },
  { name: 'A sign-in code', about: 'Short and urgent, but not spam', text: code },
  { name: 'An order', about: 'A shop confirms what was bought', text: order },
  { name: 'An appointment', about: 'One person replies to another', text: appointment },
  { name: 'A newsletter', about: 'A harmless mailing list', text: newsletter },
  { name: 'A sale', about: 'Advertising with consent', text: sale },
]

/** Where a message comes in: dropped, chosen, pasted, or one of the samples. */
function MessageInput({
  text,
  onText,
  onMessage,
}: {
  /** What is in the field, kept by the page so that an error does not lose it. */
  readonly text: string
  readonly onText: (text: string) => void
  readonly onMessage: (given: Given) => void
}) {
  const chooser = useRef<HTMLInputElement>(null)
  const submit = () => {
    if (text.trim() === '') return
    onMessage({ name: 'Pasted message', message: new Blob([text]), isSample: false })
  }
  return (
    <>
      <Form class="field" onSubmit={submit}>
        <label for="source">Message source, header fields first</label>
        <textarea
          id="source"
          rows={9}
          spellcheck={false}
          autocomplete="off"
          placeholder={
            'From: …\nSubject: …\n\nDrop an .eml file anywhere, or paste the source of a message here'
          }
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
          }}
        />
        <div class="row">
          <button type="submit" class="button primary" disabled={text.trim() === ''}>
            See its verdict
          </button>
          <small>Ctrl+Enter</small>
          <Button onClick={() => chooser.current?.click()}>
            <Icon name="file" /> Choose a file
          </Button>
          <input
            ref={chooser}
            type="file"
            hidden
            accept=".eml,.txt,message/rfc822"
            aria-label="Message file"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (file) onMessage({ name: file.name, message: file, isSample: false })
            }}
          />
        </div>
      </Form>
      <h3>Or start with a sample; Tamis does not learn from samples</h3>
      <ul class="tiles samples">
        {SAMPLES.map(({ name, about, text: sample }) => (
          <li key={name}>
            <button
              type="button"
              class="panel"
              onClick={() => onMessage({ name, message: new Blob([sample]), isSample: true })}
            >
              <strong>{name}</strong>
              <small>{about}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Takes files that are dropped anywhere on the page; true while one is held over it. */
function useDrop(onFile: (file: File) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const listening = new AbortController()
    const listen = (type: 'dragover' | 'dragleave' | 'drop', listener: (e: DragEvent) => void) =>
      addEventListener(type, listener, listening)
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setIsOver(true)
    })
    listen('dragleave', (event) => {
      if (event.relatedTarget === null) setIsOver(false)
    })
    listen('drop', (event) => {
      event.preventDefault()
      setIsOver(false)
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) onFile(file)
    })
    return () => listening.abort()
  })
  return isOver
}
