/** `tamis classify --rules`: which verdicts a file of the operator's rules would change, before it is used. */
import { readModels } from '../../artifact-files/artifact-files.ts'
import { TamisError } from '../../errors/errors.ts'
import { EXIT } from '../../errors/exit-status.ts'
import { analyse } from '../../mail/analyse.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import {
  factsOf,
  indexOperatorRules,
  type RuleIndex,
  rulesFor,
} from '../../mail/operator-rules/match.ts'
import { UNKNOWN_SENDER } from '../../mail/personalization/rules.ts'
import { decide } from '../../mail/verdict/decide.ts'
import { NO_EVIDENCE, withRules } from '../../mail/verdict/evidence.ts'
import { policyFor } from '../../mail/verdict/policy.ts'
import { percent } from '../../mail/verdict/standing.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import { type List, printList } from '../../terminal/output.ts'
import { policySettings, readOwnConfig } from '../config.ts'
import { openKnowledge } from '../known-domains.ts'
import { recipientOf } from '../policies.ts'
import { readRulesFile } from '../rules/rules-file.ts'
import { type MailboxMessage, mailboxProgress, readMailbox } from './mailbox.ts'

interface RulesOptions {
  readonly rules: string
  readonly models?: string
  readonly user?: string
  readonly json?: boolean
}

type Judged = Pick<Verdict, 'isSpam' | 'spamProbability' | 'classification'>

/** A message, judged without the rules and with them. */
interface Tried {
  readonly name: string
  readonly before: Judged
  readonly after: Judged
  /** The rules that apply. */
  readonly rules: readonly string[]
}

interface Count {
  readonly rule: string
  /** Messages to which it applies. */
  readonly hits: number
  /** Those of them whose verdict or class all rules together change. */
  readonly changed: number
}

const CHANGED: List<Tried> = {
  headings: ['message', 'before', 'after', 'rules'],
  row: ({ name, before, after, rules }) => [name, words(before), words(after), rules.join('; ')],
  none: 'No verdict would change.',
}

const COUNTS: List<Count> = {
  headings: ['hits', 'changed', 'rule'],
  row: ({ rule, hits, changed }) => [hits, changed, rule],
  none: 'No rules.',
}

/** Lists the messages whose verdict changes, then the rules with their counts. @returns the exit status. */
export async function tryRules(paths: readonly string[], options: RulesOptions): Promise<number> {
  const { rules } = (await readRulesFile(options.rules, '--rules'))!
  const judge = await judgingWith(indexOperatorRules(rules), options)
  const progress = mailboxProgress('classify', paths)
  const tried: Tried[] = []
  let exit: number = EXIT.done
  try {
    for (const path of paths) {
      for await (const message of readMailbox(path)) {
        progress.advance(1, message.bytes.length)
        try {
          tried.push(judge(message))
        } catch (error) {
          if (!(error instanceof TamisError)) throw error
          process.stderr.write(`tamis: ${message.name}: ${error.message} (${error.code})\n`)
          exit = EXIT.partly
        }
      }
    }
  } finally {
    progress.end()
  }
  const { json } = options
  await printList(tried.filter(isChanged), CHANGED, { json })
  if (!json) process.stdout.write('\n')
  const counts = rules.map(({ text: rule }) => {
    const applying = tried.filter((each) => each.rules.includes(rule))
    return { rule, hits: applying.length, changed: applying.filter(isChanged).length }
  })
  await printList(counts, COUNTS, { json })
  return exit
}

async function judgingWith(index: RuleIndex, { models: folder, user }: RulesOptions) {
  const config = readOwnConfig()
  const models = await readModels(folder ?? config.models)
  const knowledge = await openKnowledge(config.knownDomains)
  const settings = policySettings(config)
  const policy = policyFor(models, settings)
  return ({ name, bytes }: MailboxMessage): Tried => {
    const options = { knowledge, claims: true, textRules: index.textRules }
    const analysis = analyse(
      memoryOctets(bytes),
      { now: new Date(), arrivalFallback: 'date' },
      models,
      options,
    )
    const { claims, ruleTexts } = analysis
    const say = rulesFor(
      index,
      factsOf(index, claims!),
      ruleTexts!,
      recipientOf(user),
      UNKNOWN_SENDER,
    )
    const { threshold } = say
    const withThreshold =
      threshold === undefined ? policy : policyFor(models, { ...settings, threshold })
    return {
      name,
      before: judged(decide(analysis, NO_EVIDENCE, policy)),
      after: judged(decide(analysis, withRules(NO_EVIDENCE, say), withThreshold)),
      rules: say.applied.map(({ text }) => text),
    }
  }
}

function judged({ isSpam, spamProbability, classification }: Verdict): Judged {
  return { isSpam, spamProbability, classification }
}

function words({ isSpam, spamProbability, classification }: Judged): string {
  return `${isSpam ? 'spam' : 'ham'} ${percent(spamProbability)} ${classification}`
}

function isChanged({ before, after }: Tried): boolean {
  return before.isSpam !== after.isSpam || before.classification !== after.classification
}
