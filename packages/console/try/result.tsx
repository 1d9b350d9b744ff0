/**
 * All that the diagnostic says of a message, laid out for a person: the verdict, why, and then the rest.
 * What takes some knowledge of the models is shown to experts alone.
 */
import { CorrectPanel, type CorrectPanelProps } from './correct-panel.tsx'
import { AuthenticationPanel, ClassesPanel, SignalsPanel, TimingPanel } from './facts-panels.tsx'
import { LinksPanel } from './links-panel.tsx'
import { MessagePanel } from './message-panel.tsx'
import { overruling } from './overruling.ts'
import { VerdictPanel } from './verdict-panel.tsx'
import { ModelsPanel, WhyPanel } from './why-panels.tsx'

export interface ResultProps extends CorrectPanelProps {
  readonly expert: boolean
  readonly onWithdrawn: () => void
}

export function Result({ expert, onWithdrawn, ...correction }: ResultProps) {
  const { busy, judged } = correction
  const { answer } = judged
  const { email, explanation, result } = answer
  const links = <LinksPanel links={answer.urlScanner.links} signals={explanation?.signals ?? []} />
  return (
    <div class="result" aria-busy={busy}>
      <VerdictPanel answer={answer} expert={expert} onWithdrawn={onWithdrawn} />
      <div class="columns">
        {explanation !== null && (
          <div class="column">
            <WhyPanel
              explanation={explanation}
              overruled={overruling(answer) !== undefined}
              expert={expert}
            />
            {links}
          </div>
        )}
        <div class="column">
          <CorrectPanel {...correction} />
          <MessagePanel email={email} expert={expert} />
          {explanation === null && links}
        </div>
      </div>
      <div class="columns">
        <div class="column">
          <AuthenticationPanel answer={answer} />
          {expert && <TimingPanel timing={answer.timing} />}
        </div>
        {(expert || !result.isSpam) && (
          <div class="column">
            {!result.isSpam && <ClassesPanel tabs={answer.tabs} expert={expert} />}
            {expert && <ModelsPanel answer={answer} />}
          </div>
        )}
      </div>
      {explanation !== null && (
        <SignalsPanel signals={explanation.signals} sender={explanation.sender} expert={expert} />
      )}
    </div>
  )
}
