/** Try: a message in, and all that led to its verdict out. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type DeliveryFields, diagnose } from '../api.ts'
import { bytes } from '../format.ts'
import { pageAddress } from '../ui/page-address.ts'
import { Button, ErrorNote, Icon, Loading } from '../ui/parts.tsx'
import { type Correction, sendCorrection, takeBack } from './correction.ts'
import { ExpertSwitch, useExpert } from './expert-switch.tsx'
import { FactFields } from './fact-fields.tsx'
import type { Given, Judged } from './judged.ts'
import { keepMailbox, keptMailbox } from './mailbox.ts'
import { MessageInput } from './message-input.tsx'
import { asBody, NotAMessage } from './not-a-message.tsx'
import { Result } from './result.tsx'

type State =
  | { readonly step: 'start' }
  | { readonly step: 'working'; readonly judged?: Judged }
  | { readonly step: 'judged'; readonly judged: Judged }
  | { readonly step: 'failed'; readonly error: unknown; readonly judged?: Judged }

export function TryPage() {
  const [given, setGiven] = useState<Given>()
  const [text, setText] = useState('')
  const [expert, setExpert] = useExpert()
  const [facts, setFacts] = useState<DeliveryFields>(() => ({
    userId: keptMailbox(),
    senderIp: '',
    senderEmail: '',
  }))
  const [state, setState] = useState<State>({ step: 'start' })
  /** Answers to questions that were overtaken are dropped. */
  const asked = useRef(0)

  const work = useCallback(async (job: () => Promise<Judged>, judged?: Judged) => {
    const turn = ++asked.current
    setState({ step: 'working', ...(judged && { judged }) })
    try {
      const next = await job()
      if (turn === asked.current) setState({ step: 'judged', judged: next })
    } catch (error) {
      if (turn !== asked.current) return
      setState({ step: 'failed', error, ...(judged && { judged }) })
    }
  }, [])

  const judge = (next: Given, by: DeliveryFields = facts) => {
    setGiven(next)
    void work(async () => ({ answer: await diagnose(next.message, by) }))
  }
  const judgeBy = (next: DeliveryFields) => {
    keepMailbox(next.userId)
    setFacts(next)
    if (given !== undefined) judge(given, next)
  }
  const judged = 'judged' in state ? state.judged : undefined
  const failed = state.step === 'failed' && judged === undefined
  /** Text that the service has refused because it has no header fields. */
  const bodyAlone =
    state.step === 'failed' && isNotAMessage(state.error) && given?.message.size ? given : undefined
  const startAgain = () => {
    asked.current++
    setGiven(undefined)
    if (!failed) setText('')
    setState({ step: 'start' })
  }
  const isDropping = useDrop((file) => judge({ name: file.name, message: file, isSample: false }))

  const correct = (correction: Correction) => {
    if (given === undefined || judged === undefined) return
    void work(async () => {
      const corrected = await sendCorrection(given.message, facts, correction)
      return { answer: await diagnose(given.message, facts), before: judged.answer, corrected }
    }, judged)
  }
  const undo = () => {
    const corrected = judged?.corrected
    if (given === undefined || judged === undefined || corrected === undefined) return
    void work(async () => {
      await takeBack(corrected)
      const answer = await diagnose(given.message, facts)
      return { answer, before: judged.answer, corrected, takenBack: true }
    }, judged)
  }

  return (
    <div class="page">
      <h1 class="for-readers">Try a message</h1>
      {isDropping && (
        <div class="drop-veil" aria-hidden="true">
          <p>Drop the message to see its verdict</p>
        </div>
      )}
      {given !== undefined && (
        <div class="given">
          <Icon name="file" />
          <strong>
            {given.isSample && 'Sample: '}
            {given.name}
          </strong>
          <span class="quiet">{bytes(given.message.size)}</span>
          <FactFields key={facts.userId} facts={facts} onFacts={judgeBy} />
          {facts.userId !== '' && (
            <a class="facts-user" href={pageAddress('users', facts.userId)}>
              Rules and memory
            </a>
          )}
          <span class="given-end">
            <ExpertSwitch expert={expert} onExpert={setExpert} />
            <Button onClick={startAgain}>Another message</Button>
          </span>
        </div>
      )}
      {state.step === 'working' && judged === undefined && <Loading what="Reading the message" />}
      {state.step === 'failed' && bodyAlone !== undefined && (
        <NotAMessage onBody={() => judge(asBody(bodyAlone))} />
      )}
      {state.step === 'failed' && bodyAlone === undefined && (
        <ErrorNote
          error={state.error}
          {...(given === undefined ? {} : { retry: () => judge(given) })}
        />
      )}
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
          expert={expert}
          busy={state.step === 'working'}
          onCorrect={correct}
          onUndo={undo}
          onWithdrawn={() => judge(given)}
          onMailbox={(userId) => judgeBy({ ...facts, userId })}
        />
      )}
    </div>
  )
}

function isNotAMessage(error: unknown): boolean {
  return (error as { code?: string }).code === 'NOT_A_MESSAGE'
}

/** Takes files that are dropped anywhere on the page; true while one is held over it. */
function useDrop(onFile: (file: File) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const latest = useRef(onFile)
  latest.current = onFile
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer === null || !event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setIsOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setIsOver(false)
      const [file] = event.dataTransfer?.files ?? []
      if (file !== undefined) latest.current(file)
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
