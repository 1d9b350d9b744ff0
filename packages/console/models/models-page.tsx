/** The versions of the models, and the two steps between them: promote and roll back. */
import { useState } from 'preact/hooks'
import type { ModelsResult } from '../../client/client.ts'
import { tamis } from '../api.ts'
import { count, counted, dayTime } from '../format.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Badge, Button, ErrorNote, Icon, Loading, Panel, Table } from '../ui/parts.tsx'
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
    title: 'Use what has been learned so far?',
    text: 'The service does this by itself when its checks pass. This does it at once, even after a rollback.',
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
  operator: "The shared models learn what users agree on, and the operator's corrections at once.",
  off: 'The shared models learn nothing (TAMIS_LEARNING=off).',
} as const

export function ModelsPage() {
  return (
    <div class="page">
      <div class="page-head">
        <h1>Models</h1>
        <p class="quiet">What is in use, and what was learned from corrections</p>
      </div>
      <VersionsPanel />
    </div>
  )
}

function VersionsPanel() {
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
      const { version } =
        step === 'promote'
          ? await tamis().post('/models/promote')
          : await tamis().post('/models/rollback')
      setSaid(outcomeInWords(step, version))
      again()
    })
    setBusy(false)
  }
  const { value } = answer
  return (
    <Panel
      title="In use"
      note="What is learned from corrections of this tenant's users is added to the shipped models."
    >
      {answer.step === 'failed' && <ErrorNote error={answer.error} retry={again} />}
      {failure !== undefined && <ErrorNote error={failure} />}
      {value === undefined && answer.step === 'asking' && <Loading what="Loading versions" />}
      {value !== undefined && <InUse {...value} />}
      <div class="actions">
        <Button disabled={isBusy} onClick={() => setAsked('promote')}>
          <Icon name="plus" /> Promote what was learned
        </Button>
        <Button
          disabled={isBusy || value === undefined || !canRollBack(value)}
          onClick={() => setAsked('rollback')}
        >
          <Icon name="undo" /> Roll back
        </Button>
        <span role="status">{said}</span>
      </div>
      {value !== undefined && <Versions {...value} />}
      {asked !== undefined && (
        <Dialog
          title={QUESTIONS[asked].title}
          confirm={QUESTIONS[asked].confirm}
          danger={asked === 'rollback'}
          onConfirm={() => void go(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{QUESTIONS[asked].text}</p>
        </Dialog>
      )}
    </Panel>
  )
}

function InUse({ learning, versions }: ModelsResult) {
  const inUse = versionInUse(versions)
  return (
    <p class="versions-said">
      {inUse === undefined
        ? 'The shipped models'
        : `The shipped models with version ${inUse.version}`}
      . {MODES[learning.mode]}
      {learning.refused > 0 &&
        ` Refused ${counted(learning.refused, 'time')}, because what was learned from users made verdicts on the canary set worse.`}
    </p>
  )
}

/** Folded: who rolls back looks at it, and nobody else. */
function Versions(models: ModelsResult) {
  const { base, versions } = models
  return (
    <details class="folded">
      <summary>All versions</summary>
      <Table label="Table of versions">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">State</th>
            <th scope="col">Made</th>
            <th scope="col" class="right">
              Corrections
            </th>
            <th scope="col">Checks before use</th>
            <th scope="col">Learned on top of</th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => {
            const { tone, text } = stateInWords(version, versions)
            const { corrections } = version.metrics as { corrections?: number }
            return (
              <tr key={version.version}>
                <td>
                  <strong>Learned {version.version}</strong>
                </td>
                <td>
                  <Badge tone={tone}>{text}</Badge>
                </td>
                <td>{dayTime(version.createdAt)}</td>
                <td class="right">{corrections === undefined ? '–' : count(corrections)}</td>
                <td>{checksInWords(version) ?? '–'}</td>
                <td>{version.base}</td>
              </tr>
            )
          })}
          <tr>
            <td>
              <strong>Shipped {base}</strong>
            </td>
            <td>
              <Badge tone="ham">
                {canRollBack(models) ? 'in use, with what was learned' : 'in use alone'}
              </Badge>
            </td>
            <td />
            <td />
            <td />
            <td />
          </tr>
        </tbody>
      </Table>
      {versions.length === 0 && (
        <p class="quiet">
          No version has been saved yet. The service saves one after a hundred corrections, or when
          you choose “Promote what was learned”.
        </p>
      )}
    </details>
  )
}
