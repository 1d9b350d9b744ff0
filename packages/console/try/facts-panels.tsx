/** Links, sender and class of a message. */
import { CLASSES } from '../../mail/models/prediction.ts'
import type { DiagnosticAnswer } from '../api.ts'
import { counted, percent } from '../format.ts'
import { Badge, Bar, Fact, Icon, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Link, type LinkGroup, linkGroups } from './links.ts'

/** Where the links lead, folded by host, with what is wrong beside it. */
export function LinksPanel({ links }: { readonly links: readonly Link[] }) {
  return (
    <Panel
      title="Links, and where they lead"
      aside={<Badge>{counted(links.length, 'link')}</Badge>}
    >
      {links.length === 0 && <p class="quiet">There are no links.</p>}
      {linkGroups(links).map((group) => (
        <Group key={group.name} {...group} />
      ))}
    </Panel>
  )
}

function Group({ name, links, warnings }: LinkGroup) {
  return (
    <details class="links">
      <summary>
        <strong>
          <PlainText text={name} />
        </strong>{' '}
        <span class="quiet">{counted(links.length, 'link')}</span>{' '}
        {warnings.map(({ tone, words, quoted }, i) => (
          <Badge key={i} tone={tone}>
            <Icon name="warning" /> {words}
            {quoted !== undefined && <PlainText text={quoted} />}
          </Badge>
        ))}
      </summary>
      <ul>
        {links.map(({ text, leadsTo, leadsToDomain }, i) => (
          <li key={i}>
            <PlainText text={text === '' ? '(no visible text)' : text.slice(0, 200)} />
            <code class="evidence">
              <Icon name="arrow" /> <span class="for-readers">leads to </span>
              <Address href={leadsTo} domain={leadsToDomain} />
            </code>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** An address with the part that tells whose it is; never a link that can be followed. */
function Address({ href, domain }: { readonly href: string; readonly domain: string }) {
  const at = domain === '' ? -1 : href.toLowerCase().indexOf(domain)
  if (at < 0) return <PlainText text={href} />
  return (
    <bdi>
      <PlainText text={href.slice(0, at)} />
      <strong>
        <PlainText text={href.slice(at, at + domain.length)} />
      </strong>
      <PlainText text={href.slice(at + domain.length)} />
    </bdi>
  )
}

/** What the classes are about, in a few words. */
export const CLASS_ABOUT = {
  primary: 'from a person, or needed now',
  promotions: 'advertising',
  updates: 'automated, but not advertising',
  transactions: 'about one purchase',
} as const

const SOURCES: Readonly<Record<string, string>> = {
  tabs_rule: 'by a user rule',
  tabs_knn: "with the user's memory",
}

export function ClassesPanel({ tabs }: { readonly tabs: DiagnosticAnswer['tabs'] }) {
  const { classification, classificationProbabilities, personalizationSource: source } = tabs
  return (
    <Panel
      title="Class"
      aside={source !== null && <Badge tone="warn">{SOURCES[source] ?? source}</Badge>}
    >
      <ul class="bars">
        {CLASSES.map((name) => (
          <li key={name} class={name === classification ? 'total' : ''}>
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

interface Method {
  readonly result?: string
  readonly domain?: string
  /** Of DMARC: what the domain asks for where it fails. */
  readonly policy?: string
}

interface Authentication {
  readonly source?: string
  readonly spf?: Method
  readonly dkim?: readonly Method[]
  readonly dmarc?: Method
  readonly arc?: Method
}

/** Authenticated, not authenticated, or not checked. */
export function authenticationInShort({ email, result }: DiagnosticAnswer): string {
  if (result.senderAuthenticated) return 'authenticated'
  return email.authentication === null ? 'not checked' : 'not authenticated'
}

export function AuthenticationPanel({ answer }: { readonly answer: DiagnosticAnswer }) {
  const checked = answer.email.authentication as Authentication | null
  const { spf, dkim = [], dmarc, arc } = checked ?? {}
  const methods = [
    ['SPF', spf] as const,
    ...dkim.map((signature) => ['DKIM', signature] as const),
    ['DMARC', dmarc] as const,
    ['ARC', arc] as const,
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
      {checked === null ? (
        <p class="quiet">
          Not checked: <code>TAMIS_AUTH_DNS</code> is off, or no DNS server has answered yet. Set it
          to <code>on</code>, or let <code>TAMIS_TRUSTED_AUTHSERV_IDS</code> trust the results of
          your mail server.
        </p>
      ) : (
        <>
          <dl class="facts-list">
            {methods.map(
              ([name, method], i) =>
                method && (
                  <Fact key={i} name={name}>
                    <Outcome {...method} />
                  </Fact>
                ),
            )}
          </dl>
          <p class="quiet">
            {checked.source === 'verified' ? 'Tamis' : 'Your mail server'} checked this
            {checked.source === 'verified' && ' with DNS'}.
          </p>
        </>
      )}
    </Panel>
  )
}

function Outcome({ result = 'none', domain, policy }: Method) {
  return (
    <>
      <Badge tone={result === 'pass' ? 'ham' : result.includes('fail') ? 'spam' : 'plain'}>
        {result}
      </Badge>{' '}
      {domain !== undefined && <PlainText text={domain} />}{' '}
      {policy !== undefined && <span class="quiet">policy {policy}</span>}
    </>
  )
}
