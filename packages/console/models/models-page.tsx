/** The versions of the models, and the two steps between them: promote and roll back. */
import { useState } from 'preact/hooks'
import type { ModelsResult } from '../../client/client.ts'
import { tamis } from '../api.ts'
import { counted, dayTime } from '../format.ts'
import { Asked, Badge, Button, Dialog, ErrorNote, Icon, Page, Panel } from '../ui/parts.tsx'
import { useAnswer, useAttempt } from '../ui/use-answer.ts'
import {
  canRollBack,
  checksInWords,
  outcomeInWords,
  stateInWords,
  versionInUse,
} from './version-words.ts'

type Step = 'promote' | 'rollback'

const QUESTIONS = {
  promote: {
    title: 'Use the newest version?',
    text: 'The newest version and those that follow are used, even after a rollback. The service learns at once from the corrections since.',
    confirm: 'Promote',
  },
  rollback: {
    title: 'Go back to the previous version?',
    text: 'The version in use is rejected. If there is no earlier one, only the shipped models are used. Rules and memories of users do not change.',
    confirm: 'Roll back',
  },
} as const

/** What moves the models that all users share, by the setting TAMIS_LEARNING. */
const MODES = {
  users: 'The shared models learn what users agree on.',
  operator: "The shared models learn what users agree on, and the operator's corrections.",
  off: 'The shared models learn nothing (TAMIS_LEARNING=off).',
} as const

export function ModelsPage() {
  const [answer, again] = useAnswer('models', () => tamis().get('/models'))
  const [asked, setAsked] = useState<Step>()
  const [isBusy, setBusy] = useState(false)
  const [failure, attempt] = useAttempt()
  const [said, setSaid] = useState('')
  const go = async (step: Step) => {
    setAsked(undefined)
    setSaid('')
    setBusy(true)
    await attempt(async () => {
      const { version } = await tamis().post(`/models/${step}`)
      setSaid(outcomeInWords(step, version))
      again()
    })
    setBusy(false)
  }
  const { title, text, confirm } = QUESTIONS[asked ?? 'promote']
  return (
    <Page title="Models" about="What is learned from corrections is added to the shipped models.">
      {failure !== undefined && <ErrorNote error={failure} />}
      <Asked answer={answer} again={again}>
        {(models) => (
          <>
            <Panel title="In use">
              <p>{inUseInWords(models)}</p>
              <div class="row">
                <Button disabled={isBusy} onClick={() => setAsked('promote')}>
                  <Icon name="plus" /> Promote what was learned
                </Button>
                <Button
                  disabled={isBusy || !canRollBack(models)}
                  onClick={() => setAsked('rollback')}
                >
                  <Icon name="undo" /> Roll back
                </Button>
                <span role="status">{said}</span>
              </div>
            </Panel>
            <Versions {...models} />
          </>
        )}
      </Asked>
      {asked !== undefined && (
        <Dialog
          title={title}
          confirm={confirm}
          danger={asked === 'rollback'}
          onConfirm={() => void go(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{text}</p>
        </Dialog>
      )}
    </Page>
  )
}

function inUseInWords({ learning, versions }: ModelsResult): string {
  const inUse = versionInUse(versions)
  const what = inUse === undefined ? '' : ` with version ${inUse.version}`
  const refused =
    learning.refused > 0
      ? ` Refused ${counted(learning.refused, 'time')}, because what was learned from users made verdicts on the canary set worse.`
      : ''
  return `The shipped models${what}. ${MODES[learning.mode]}${refused}`
}

function Versions(models: ModelsResult) {
  const { base, versions } = models
  return (
    <Panel title="Versions">
      <ul class="rows">
        {versions.map((version) => {
          const { tone, text } = stateInWords(version, versions)
          const { corrections } = version.metrics as { corrections?: number }
          const checks = checksInWords(version)
          return (
            <li key={version.version}>
              <strong>Learned {version.version}</strong>
              <span>
                <Badge tone={tone}>{text}</Badge>{' '}
                {corrections !== undefined && counted(corrections, 'correction')}
                {checks !== undefined && `, checks before use: ${checks}`}{' '}
                <span class="quiet">on top of {version.base}</span>
              </span>
              <span class="time">{dayTime(version.createdAt)}</span>
            </li>
          )
        })}
        <li>
          <strong>Shipped</strong>
          <span>
            <Badge tone="ham">
              {canRollBack(models) ? 'in use, with what was learned' : 'in use alone'}
            </Badge>{' '}
            <span class="quiet">{base}</span>
          </span>
        </li>
      </ul>
      {versions.length === 0 && (
        <p class="quiet">
          No version yet. The service learns from the first correction, then every six hours or
          after a hundred.
        </p>
      )}
    </Panel>
  )
}
