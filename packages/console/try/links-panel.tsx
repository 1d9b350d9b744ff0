/** Where the links of a message lead, folded by host, with what is wrong beside it. */
import type { DiagnosticAnswer } from '../api.ts'
import { counted } from '../format.ts'
import { Badge, Icon, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type LinkGroup, linkGroups } from './link-groups.ts'

type Links = DiagnosticAnswer['urlScanner']['links']
type Signals = NonNullable<DiagnosticAnswer['explanation']>['signals']

/** Warnings shown beside a host: who has read four needs no fifth. */
const WARNINGS_SHOWN = 4

export function LinksPanel({
  links,
  signals,
}: {
  readonly links: Links
  readonly signals: Signals
}) {
  return (
    <Panel
      title="Links, and where they lead"
      aside={<Badge>{counted(links.length, 'link')}</Badge>}
    >
      {links.length === 0 ? (
        <p class="quiet">There are no links.</p>
      ) : (
        <ul class="links">
          {linkGroups(links, signals).map((group) => (
            <li key={group.name}>
              <Group {...group} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Group({ name, links, warnings }: LinkGroup) {
  return (
    <details>
      <summary>
        <strong class="link-host">
          <PlainText text={name} />
        </strong>{' '}
        <span class="quiet">{counted(links.length, 'link')}</span>{' '}
        {warnings.slice(0, WARNINGS_SHOWN).map(({ tone, words, quoted }, i) => (
          <Badge key={i} tone={tone}>
            <Icon name="warning" /> {words}
            {quoted !== undefined && <PlainText text={quoted} />}
          </Badge>
        ))}
        {warnings.length > WARNINGS_SHOWN && (
          <span class="quiet"> and {warnings.length - WARNINGS_SHOWN} more</span>
        )}
      </summary>
      <ul>
        {links.map((link, i) => (
          <LinkRow key={i} link={link} />
        ))}
      </ul>
    </details>
  )
}

/** Never a link that can be followed. */
function LinkRow({ link }: { readonly link: Links[number] }) {
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
