/** Site rules in a list that is read on a phone too: each is a line, or two. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { SiteRule } from '../../client/types.ts'
import { count } from '../format.ts'
import { matches } from '../ui/matches.ts'
import { Badge } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'

/** Entries shown at first, and added on request. */
const PAGE = 50

/** Entries of a list, some at a time. */
export function Entries<Entry>({
  entries,
  label,
  children,
}: {
  readonly entries: readonly Entry[]
  readonly label: string
  readonly children: (entry: Entry) => ComponentChildren
}) {
  const [shown, setShown] = useState(PAGE)
  return (
    <>
      <ul class="entries" aria-label={label}>
        {entries.slice(0, shown).map(children)}
      </ul>
      {entries.length > shown && (
        <button type="button" class="link" onClick={() => setShown(shown + PAGE)}>
          Show {count(Math.min(PAGE, entries.length - shown))} more of {count(entries.length)}
        </button>
      )}
    </>
  )
}

export function RuleEntry({
  rule,
  children,
}: {
  readonly rule: SiteRule
  /** What stands at the end of the line. */
  readonly children: ComponentChildren
}) {
  const { label, ruleType, pattern, recipientDomain } = rule
  return (
    <li class="entry">
      <Badge tone={label === 'spam' ? 'spam' : 'ham'}>{verbOf(rule)}</Badge>
      <div class="entry-what">
        {ruleType.toLowerCase()}{' '}
        <span class="pattern">
          <PlainText text={pattern} />
        </span>
        {recipientDomain !== undefined && (
          <span class="quiet">
            {' '}
            for <PlainText text={recipientDomain} />
          </span>
        )}
      </div>
      {children}
    </li>
  )
}

export function verbOf({ label }: Pick<SiteRule, 'label'>): string {
  return label === 'spam' ? 'block' : 'allow'
}

/** The rules with every word of `sought`. */
export function soughtRules(rules: readonly SiteRule[], sought: string): SiteRule[] {
  return rules.filter((rule) =>
    matches(sought, [
      verbOf(rule),
      rule.ruleType,
      rule.pattern,
      rule.recipientDomain ?? '',
      rule.id,
    ]),
  )
}
