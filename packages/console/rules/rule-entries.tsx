/** Site rules in a list that is read on a phone too: each is a line, or two. */
import type { ComponentChildren } from 'preact'
import type { SiteRule } from '../../client/types.ts'
import { matches } from '../ui/matches.ts'
import { Badge } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'

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
