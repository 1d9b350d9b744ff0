/** All that the diagnostic says of a message, laid out for a person. */

import { CorrectPanel, type CorrectPanelProps } from './correct-panel.tsx'
import {
  AuthenticationPanel,
  ClassesPanel,
  LinksPanel,
  SignalsPanel,
  TimingPanel,
} from './facts-panels.tsx'
import { MessagePanel } from './message-panel.tsx'
import { VerdictPanel } from './verdict-panel.tsx'
import { ModelsPanel, WhyPanel } from './why-panels.tsx'

export function Result(props: CorrectPanelProps) {
  const { busy, judged } = props
  const { answer } = judged
  return (
    <div class="result" aria-busy={busy}>
      <VerdictPanel answer={answer} />
      <CorrectPanel {...props} />
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
