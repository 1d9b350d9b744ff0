/** Class, signals, authentication and timing of a message. */

import { CLASSES } from '../../mail/models/prediction.ts'
import type { SenderStanding } from '../../mail/verdict/clauses.ts'
import type { DiagnosticAnswer } from '../api.ts'
import { counted, milliseconds, percent } from '../format.ts'
import { Badge, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { authenticationInShort } from './authentication-in-short.ts'
import { CLASS_ABOUT } from './classes.ts'
import { signalSentence } from './features.ts'
import { Bar } from './why-panels.tsx'

const SOURCES: Readonly<Record<string, string>> = {
  tabs_rule: 'by a user rule',
  tabs_knn: "with the user's memory",
}

export function ClassesPanel({
  tabs,
  expert,
}: {
  readonly tabs: DiagnosticAnswer['tabs']
  readonly expert: boolean
}) {
  const { classification, classificationProbabilities, personalizationSource } = tabs
  return (
    <Panel
      title="Class"
      aside={
        personalizationSource !== null && (
          <Badge tone="warn">{SOURCES[personalizationSource] ?? personalizationSource}</Badge>
        )
      }
    >
      <ul class={expert ? 'classes with-numbers' : 'classes'}>
        {CLASSES.map((name) => (
          <li key={name} class={name === classification ? 'chosen' : ''}>
            <span>
              {name}
              {name === classification && <span class="for-readers"> (chosen)</span>}
              <small>{CLASS_ABOUT[name]}</small>
            </span>
            <Bar share={classificationProbabilities[name]} />
            {expert && <span class="number">{percent(classificationProbabilities[name])}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type Signals = NonNullable<DiagnosticAnswer['explanation']>['signals']

export function SignalsPanel({
  signals,
  sender,
  expert,
}: {
  readonly signals: Signals
  readonly sender: SenderStanding
  readonly expert: boolean
}) {
  return (
    <Panel title="Signals" aside={<Badge>{counted(signals.length, 'signal')}</Badge>}>
      {signals.length === 0 ? (
        <p class="quiet">There are no signals.</p>
      ) : (
        <ul class="signals">
          {signals.map(({ name, evidence }) => (
            <li key={name}>
              <p>{signalSentence(name, sender)}</p>
              {evidence !== undefined && (
                <p class="evidence">
                  <PlainText text={evidence} />
                </p>
              )}
              {expert && <code>{name}</code>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface MethodShown {
  readonly result?: string
  readonly domain?: string
  /** Of DMARC: what the domain asks for where it fails. */
  readonly policy?: string
}

interface AuthenticationShown {
  readonly source?: string
  readonly spf?: MethodShown
  readonly dkim?: readonly MethodShown[]
  readonly dmarc?: MethodShown
  readonly arc?: MethodShown
}

const SOURCES_OF_RESULTS: Readonly<Record<string, string>> = {
  'trusted field': 'Your mail server checked this.',
  verified: 'Tamis checked this with DNS.',
}

export function AuthenticationPanel({ answer }: { readonly answer: DiagnosticAnswer }) {
  const shown = answer.email.authentication as AuthenticationShown | null
  const { spf, dkim = [], dmarc, arc } = shown ?? {}
  const methods = [
    ...(spf ? [{ name: 'SPF', ...spf }] : []),
    ...dkim.map((signature) => ({ name: 'DKIM', ...signature })),
    ...(dmarc ? [{ name: 'DMARC', ...dmarc }] : []),
    ...(arc ? [{ name: 'ARC', ...arc }] : []),
  ]
  return (
    <Panel
      title="Who sent it"
      aside={
        <Badge tone={answer.result.senderAuthenticated ? 'ham' : 'plain'}>
          {authenticationInShort(answer)}
        </Badge>
      }
    >
      {shown === null ? (
        <p class="quiet">
          Not checked: <code>TAMIS_AUTH_DNS</code> is off, or no DNS server answered when Tamis
          started. Set it to <code>on</code>, or let <code>TAMIS_TRUSTED_AUTHSERV_IDS</code> trust
          the results of your mail server.
        </p>
      ) : (
        <ul class="methods">
          {methods.map(({ name, result: outcome = 'none', domain, policy }, i) => (
            <li key={i}>
              <strong>{name}</strong>
              <Badge
                tone={outcome === 'pass' ? 'ham' : outcome.includes('fail') ? 'spam' : 'plain'}
              >
                {outcome}
              </Badge>
              {domain !== undefined && <PlainText text={domain} />}
              {policy !== undefined && <span class="quiet">policy {policy}</span>}
            </li>
          ))}
          <li class="quiet">{SOURCES_OF_RESULTS[shown.source ?? ''] ?? shown.source}</li>
        </ul>
      )}
    </Panel>
  )
}

const STAGES = [
  ['parse', 'parse'],
  ['signals', 'signals'],
  ['features', 'features'],
  ['models', 'models'],
  ['around', 'queue, process, memory, sender'],
] as const

export function TimingPanel({ timing }: { readonly timing: DiagnosticAnswer['timing'] }) {
  const { total } = timing
  const inside = timing.parse + timing.signals + timing.features + timing.models
  const stages = { ...timing, around: Math.max(0, total - inside) }
  let at = 0
  const pieces = STAGES.map(([name]) => {
    const start = at
    at += stages[name]
    return { name, start, width: stages[name] }
  })
  return (
    <Panel title="Time" aside={<Badge>{milliseconds(total)}</Badge>}>
      <svg class="timing" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        {pieces.map(({ name, start, width }) => (
          <rect
            key={name}
            class={`stage-${name}`}
            x={(100 * start) / total}
            width={(100 * width) / total}
            height="10"
          />
        ))}
      </svg>
      <ul class="stages">
        {STAGES.map(([name, label]) => (
          <li key={name}>
            <span class={`swatch stage-${name}`} aria-hidden="true" />
            {label} <span class="number">{milliseconds(stages[name])}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
