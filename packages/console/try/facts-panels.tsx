/** Classes, links, signals, authentication and timing of a message. */
import { CLASSES } from '../../mail/models/prediction.ts'
import type { DiagnosticAnswer } from '../api.ts'
import { counted, milliseconds, percent } from '../format.ts'
import { Badge, Icon, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { signalSentence } from './features.ts'
import { Bar } from './why-panels.tsx'

const CLASS_ABOUT = {
  primary: 'from a person, or needed now',
  promotions: 'advertising',
  updates: 'automated, but not advertising',
  transactions: 'about one purchase',
} as const

const SOURCES: Readonly<Record<string, string>> = {
  tabs_rule: 'by a rule of the user',
  tabs_knn: 'with the memory of the user',
}

export function ClassesPanel({ tabs }: { readonly tabs: DiagnosticAnswer['tabs'] }) {
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
      <ul class="classes">
        {CLASSES.map((name) => (
          <li key={name} class={name === classification ? 'chosen' : ''}>
            <span>
              {name}
              {name === classification && <span class="for-readers"> (chosen)</span>}
              <small>{CLASS_ABOUT[name]}</small>
            </span>
            <Bar share={classificationProbabilities[name]} />
            <span class="number">{percent(classificationProbabilities[name])}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type Links = DiagnosticAnswer['urlScanner']['links']

export function LinksPanel({ links }: { readonly links: Links }) {
  return (
    <Panel
      title="Links, and where they lead"
      aside={<Badge>{counted(links.length, 'link')}</Badge>}
    >
      {links.length === 0 ? (
        <p class="quiet">There are no links.</p>
      ) : (
        <ul class="links">
          {links.map((link, i) => (
            <LinkRow key={i} link={link} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Never a link that can be followed. */
function LinkRow({ link }: { readonly link: Links[number] }) {
  const isWrapped = link.leadsToDomain !== link.registrableDomain
  return (
    <li>
      <p class="link-text">
        <PlainText text={link.text === '' ? '(no visible text)' : link.text.slice(0, 200)} />
      </p>
      <p class="link-target">
        <Icon name="arrow" />
        <span class="for-readers">leads to </span>
        <Address href={link.leadsTo} domain={link.leadsToDomain} />
      </p>
      <p class="badges">
        {link.shows !== null && (
          <Badge tone="spam">
            <Icon name="warning" /> says <PlainText text={link.shows} />
          </Badge>
        )}
        {isWrapped && (
          <Badge tone="warn">
            behind <PlainText text={link.registrableDomain || link.href.slice(0, 60)} />
          </Badge>
        )}
        {link.match !== null && (
          <Badge tone="spam">
            <Icon name="warning" /> in the feed {link.match.feed}: {link.match.expression}
          </Badge>
        )}
      </p>
    </li>
  )
}

/** An address with the part that tells whose it is. */
function Address({ href, domain }: { readonly href: string; readonly domain: string }) {
  const at = domain === '' ? -1 : href.toLowerCase().indexOf(domain)
  if (at < 0) return <PlainText text={href} />
  return (
    <bdi class="address">
      <PlainText text={href.slice(0, at)} />
      <strong>
        <PlainText text={href.slice(at, at + domain.length)} />
      </strong>
      <PlainText text={href.slice(at + domain.length)} />
    </bdi>
  )
}

type Signals = NonNullable<DiagnosticAnswer['explanation']>['signals']

export function SignalsPanel({ signals }: { readonly signals: Signals }) {
  return (
    <Panel title="Signals" aside={<Badge>{counted(signals.length, 'signal')}</Badge>}>
      {signals.length === 0 ? (
        <p class="quiet">There are no signals.</p>
      ) : (
        <ul class="signals">
          {signals.map(({ name, evidence }) => (
            <li key={name}>
              <p>{signalSentence(name)}</p>
              {evidence !== undefined && (
                <p class="evidence">
                  <PlainText text={evidence} />
                </p>
              )}
              <code>{name}</code>
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
}

interface AuthenticationShown {
  readonly source?: string
  readonly spf?: MethodShown
  readonly dkim?: readonly MethodShown[]
  readonly dmarc?: MethodShown
  readonly arc?: MethodShown
}

export function AuthenticationPanel({
  authentication,
  result,
}: {
  readonly authentication: object | null
  readonly result: DiagnosticAnswer['result']
}) {
  const shown = authentication as AuthenticationShown | null
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
        <Badge tone={result.senderAuthenticated ? 'ham' : 'plain'}>
          {result.senderAuthenticated ? 'authenticated' : 'not authenticated'}
        </Badge>
      }
    >
      {shown === null ? (
        <p class="quiet">
          Not checked. <code>TAMIS_AUTH_DNS</code> turns on checks of SPF, DKIM and DMARC;{' '}
          <code>TAMIS_TRUSTED_AUTHSERV_IDS</code> trusts the results of your mail server.
        </p>
      ) : (
        <ul class="methods">
          {methods.map(({ name, result: outcome = 'none', domain }, i) => (
            <li key={i}>
              <strong>{name}</strong>
              <Badge
                tone={outcome === 'pass' ? 'ham' : outcome.includes('fail') ? 'spam' : 'plain'}
              >
                {outcome}
              </Badge>
              {domain !== undefined && <PlainText text={domain} />}
            </li>
          ))}
          <li class="quiet">Source: {shown.source}</li>
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
  ['around', 'queue, worker, memory, sender'],
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
