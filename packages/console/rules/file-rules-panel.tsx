/** The rules of the operator's files, which no page changes. */
import type { SiteRule } from '../../client/types.ts'
import { count, counted } from '../format.ts'
import { Entries } from '../ui/entries.tsx'
import { Badge, Panel } from '../ui/parts.tsx'
import { RuleEntry, soughtRules } from './rule-entries.tsx'

export function FileRulesPanel({
  rules,
  more,
  sought,
}: {
  readonly rules: readonly SiteRule[]
  /** Whether there are more than `rules`. */
  readonly more: boolean
  readonly sought: string
}) {
  const found = soughtRules(rules, sought)
  const howMany = more ? `the first ${count(rules.length)} rules` : counted(rules.length, 'rule')
  return (
    <Panel
      title="Rules in files"
      note="The operator of the service keeps these in files (TAMIS_SITE_RULES). The site rules above take precedence. Rules in files cannot be changed here."
      aside={<Badge>{howMany}</Badge>}
    >
      {found.length === 0 ? (
        <p class="quiet">No rule matches this search.</p>
      ) : (
        <Entries entries={found} label="Rules in files">
          {(rule) => (
            <RuleEntry key={rule.id} rule={rule}>
              <code class="entry-when">{rule.id}</code>
            </RuleEntry>
          )}
        </Entries>
      )}
    </Panel>
  )
}
