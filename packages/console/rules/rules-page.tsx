/** Rules: what the tenant allows and blocks for all its users, and what holds for some of them. */
import { useState } from 'preact/hooks'
import type { RecipientSetting, SiteRule, WeightedRule } from '../../client/types.ts'
import { tamis } from '../api.ts'
import { ErrorNote, Field, Loading } from '../ui/parts.tsx'
import { useAnswer } from '../ui/use-answer.ts'
import { FileRulesPanel } from './file-rules-panel.tsx'
import { RecipientsPanel } from './recipients-panel.tsx'
import { SiteRulesPanel } from './site-rules-panel.tsx'
import { WeightedRulesPanel } from './weighted-rules-panel.tsx'

/** Entries asked for at once: the most that the service gives. */
const PAGE = 1_000

/** Rules of files that are read: an operator may have a hundred thousand, and nobody looks through them here. */
const FILE_RULES_MAX = 1_000

interface Known {
  readonly rules: readonly SiteRule[]
  readonly recipients: readonly RecipientSetting[]
  readonly inFiles: readonly SiteRule[]
  /** Whether the files have more than are read. */
  readonly moreInFiles: boolean
  readonly weighted: readonly WeightedRule[]
  readonly weightedInFiles: readonly WeightedRule[]
}

async function everything(): Promise<Known> {
  const [rules, recipients, files, weighted, weightedFiles] = await Promise.all([
    allOf(async (cursor) => {
      const { rules, next } = await tamis().siteRules({ limit: PAGE, cursor })
      return { entries: rules, next }
    }),
    allOf(async (cursor) => {
      const { recipients, next } = await tamis().recipientSettings({ limit: PAGE, cursor })
      return { entries: recipients, next }
    }),
    tamis().siteRules({ source: 'files', limit: FILE_RULES_MAX }),
    // Of each there are at most 200, which is less than a page.
    tamis().weightedRules({ limit: PAGE }),
    tamis().weightedRules({ source: 'files', limit: PAGE }),
  ])
  return {
    rules,
    recipients,
    inFiles: files.rules,
    moreInFiles: files.next !== null,
    weighted: weighted.rules,
    weightedInFiles: weightedFiles.rules,
  }
}

/** All pages; a tenant may have ten thousand entries. */
async function allOf<Entry>(
  page: (cursor?: string) => Promise<{ readonly entries: Entry[]; readonly next: string | null }>,
): Promise<Entry[]> {
  let { entries, next } = await page()
  while (next !== null) {
    const more = await page(next)
    entries = [...entries, ...more.entries]
    next = more.next
  }
  return entries
}

export function RulesPage() {
  const [answer, again] = useAnswer('rules', everything)
  const [sought, setSought] = useState('')
  const known = answer.value
  return (
    <div class="page">
      <div class="page-head">
        <h1>Rules</h1>
        <p class="quiet">
          Rules that allow or block mail for all users, or for the recipients of a domain, and rules
          that add a weight to the verdict. A user's own rules take precedence; they are under{' '}
          <a href="#/users">Users</a>.
        </p>
      </div>
      {answer.step === 'failed' && <ErrorNote error={answer.error} retry={again} />}
      {known === undefined && answer.step === 'asking' && <Loading what="Loading rules" />}
      {known !== undefined && (
        <>
          <div class="sought">
            <Field
              label="Search rules and recipients"
              type="search"
              value={sought}
              onInput={(event) => setSought(event.currentTarget.value)}
            />
          </div>
          <SiteRulesPanel rules={known.rules} sought={sought} changed={again} />
          <WeightedRulesPanel
            rules={known.weighted}
            inFiles={known.weightedInFiles}
            sought={sought}
            changed={again}
          />
          <RecipientsPanel recipients={known.recipients} sought={sought} changed={again} />
          {known.inFiles.length > 0 && (
            <FileRulesPanel rules={known.inFiles} more={known.moreInFiles} sought={sought} />
          )}
        </>
      )}
    </div>
  )
}
