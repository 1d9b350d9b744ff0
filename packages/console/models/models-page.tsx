/** The versions of the models, and the two steps between them: promote and roll back. */
import { useState } from 'preact/hooks'
import type { ModelsResult } from '../../client/client.ts'
import { tamis } from '../api.ts'
import { counted, dayTime } from '../format.ts'
import { Asked, Badge, Button, Dialog, ErrorNote, Icon, Page, Panel } from '../ui/parts.tsx'
import { useAnswer, useAttempt } from '../ui/use-answer.ts'

type Version = ModelsResult['versions'][number]

const STATES = {
  promoted: ['ham', 'in use'],
  retired: ['plain', 'replaced'],
  rejected: ['spam', 'not used'],
} as const

function inUseOf(versions: readonly Version[]): Version | undefined {
  return versions.find(({ state }) => state === 'promoted')
}

/** Whether the latest version was rejected: what is learned then is used only once it is promoted. */
function isHeld([latest]: readonly Version[]): boolean {
  return latest?.state === 'rejected'
}

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
      setSaid(outcomeText(step, version))
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
              <p>{inUseText(models)}</p>
              <div class="row">
                <Button disabled={isBusy} onClick={() => setAsked('promote')}>
                  <Icon name="plus" /> Promote what was learned
                </Button>
                <Button
                  disabled={isBusy || inUseOf(models.versions) === undefined}
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

function outcomeText(step: Step, version: number | null): string {
  const inUse =
    version === null ? 'Only the shipped models are in use.' : `Version ${version} is in use.`
  return step === 'promote' ? inUse : `Rolled back. ${inUse}`
}

function inUseText({ learning, versions }: ModelsResult): string {
  const version = inUseOf(versions)
  return [
    `The shipped models${version === undefined ? '' : ` with version ${version.version}`}.`,
    MODES[learning.mode],
    isHeld(versions) ? 'After a rollback nothing newer is used until you promote it.' : '',
    learning.refused > 0
      ? `Refused ${counted(learning.refused, 'time')}, because what was learned from users made verdicts on the canary set worse.`
      : '',
  ].join(' ')
}

function Versions({ base, versions }: ModelsResult) {
  return (
    <Panel title="Versions">
      <ul class="rows">
        {versions.map(({ version, state, metrics, base: below, createdAt }) => {
          const [tone, text] = STATES[state]
          const { corrections } = metrics as { corrections?: number }
          return (
            <li key={version}>
              <strong>Learned {version}</strong>
              <span>
                <Badge tone={tone}>{text}</Badge>{' '}
                {corrections !== undefined && counted(corrections, 'correction')}{' '}
                <span class="quiet">on top of {below}</span>
              </span>
              <span class="time">{dayTime(createdAt)}</span>
            </li>
          )
        })}
        <li>
          <strong>Shipped</strong>
          <span>
            <Badge tone="ham">in use</Badge> <span class="quiet">{base}</span>
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
