/** All that the diagnostic says of a message, laid out for a person. */

import { CorrectPanel } from './correct-panel.tsx'
import type { Correction } from './correction.ts'
import {
  AuthenticationPanel,
  ClassesPanel,
  LinksPanel,
  SignalsPanel,
  TimingPanel,
} from './facts-panels.tsx'
import { MessagePanel } from './message-panel.tsx'
import type { Judged } from './try-page.tsx'
import { VerdictPanel } from './verdict-panel.tsx'
import { ModelsPanel, WhyPanel } from './why-panels.tsx'

export function Result({
  judged,
  userId,
  busy,
  onCorrect,
  onUndo,
}: {
  readonly judged: Judged
  readonly userId: string
  readonly busy: boolean
  readonly onCorrect: (correction: Correction) => void
  readonly onUndo: () => void
}) {
  const { answer } = judged
  return (
    <div class="result" aria-busy={busy}>
      <VerdictPanel answer={answer} />
      <CorrectPanel
        judged={judged}
        userId={userId}
        busy={busy}
        onCorrect={onCorrect}
        onUndo={onUndo}
      />
      <div class="columns">
        <div class="column">
          <MessagePanel email={answer.email} />
          <LinksPanel links={answer.urlScanner.links} />
          <ClassesPanel tabs={answer.tabs} />
          <AuthenticationPanel
            authentication={answer.email.authentication}
            result={answer.result}
          />
          <TimingPanel timing={answer.timing} />
        </div>
        <div class="column">
          {answer.explanation !== null && <WhyPanel explanation={answer.explanation} />}
          <ModelsPanel answer={answer} />
        </div>
      </div>
      {answer.explanation !== null && <SignalsPanel signals={answer.explanation.signals} />}
    </div>
  )
}
