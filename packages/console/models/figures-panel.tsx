/** How good the models are: three figures with their intervals, and the reports that have the rest. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { count } from '../format.ts'
import { Markdown } from '../ui/markdown.tsx'
import { ErrorNote, Loading, Panel } from '../ui/parts.tsx'
import { useAnswer } from '../ui/use-answer.ts'
import { type Figure, figuresOf } from './figures.ts'
import { plotAddress, REPORTS, reportText } from './reports.ts'

export function FiguresPanel() {
  const [answer, again] = useAnswer('figures', async () => figuresOf(await reportText('models')))
  const { value } = answer
  return (
    <Panel
      title="How good the shipped models are"
      note="Measured on mail that the models were not trained on. The intervals are 95 %. Your own mail will differ."
    >
      {answer.step === 'failed' && <ErrorNote error={answer.error} retry={again} />}
      {answer.step === 'asking' && <Loading what="Loading the figures" />}
      {value !== undefined && (
        <ul class="figures">
          <FigureItem title="Spam and ham mixed up" figures={[['', value.mixedUp]]}>
            How often the ham scores higher, in a pair of one ham and one spam from a household's
            mail.
          </FigureItem>
          <FigureItem
            title="At the default threshold"
            figures={[
              ['of ham lost', value.hamLost],
              ['of spam caught', value.spamCaught],
            ]}
          >
            Ham lost is that of the worst modern source; spam caught is the mean of all of them.
          </FigureItem>
          <FigureItem title="Right class" figures={[['', value.rightClass]]}>
            This share of a household's ham gets a class that fits it.
          </FigureItem>
        </ul>
      )}
    </Panel>
  )
}

function FigureItem({
  title,
  figures,
  children,
}: {
  readonly title: string
  /** Each with what it is of, where the title does not say so. */
  readonly figures: readonly (readonly [of: string, figure: Figure])[]
  readonly children: ComponentChildren
}) {
  return (
    <li>
      <h3>{title}</h3>
      {figures.map(([of, { result, interval, messages }]) => (
        <p key={of}>
          <strong class="number">{result}</strong> {of}
          <small class="number">
            {interval} · {count(messages)} messages
          </small>
        </p>
      ))}
      <p class="quiet">{children}</p>
    </li>
  )
}

export function ReportsPanel() {
  return (
    <Panel title="Reports" note="All measurements of this version. Open one to read it.">
      <ul class="reports">
        {REPORTS.map(({ name, title }) => (
          <li key={name}>
            <ReportLine name={name} title={title} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function ReportLine({ name, title }: { readonly name: string; readonly title: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <Report name={name} />}
    </details>
  )
}

function Report({ name }: { readonly name: string }) {
  const [answer, again] = useAnswer(name, () => reportText(name))
  return (
    <>
      {answer.step === 'failed' && <ErrorNote error={answer.error} retry={again} />}
      {answer.step === 'asking' && <Loading what="Opening the report" />}
      {answer.step === 'answered' && (
        <Markdown source={answer.value} pictures={(picture) => plotAddress(name, picture)} />
      )}
    </>
  )
}
