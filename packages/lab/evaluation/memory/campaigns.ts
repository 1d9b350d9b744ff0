/**
 * Campaigns, and how much of one a single correction decides. A campaign is near-duplicates of one source by what their senders
 * wrote, not by footers and frames; thresholds were chosen on one half of them. Of every campaign a few members are corrected in
 * turn, each time for a user who has corrected nothing else.
 */
import { passagesOf } from '../../../mail/embedding/passages.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { templateMatches } from '../../../mail/personalization/template.ts'
import { decide } from '../../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../../mail/verdict/evidence.ts'
import type { Policy } from '../../../mail/verdict/policy.ts'
import type { Sample } from '../../corpora/sets.ts'
import { areCopies, clusters, type Signature, signatureOf } from '../../training/near-duplicates.ts'
import { meanOf, shareOf } from '../metrics.ts'
import { evidenceAfter, type Judged, type Judges, judgedOf } from './judged.ts'

/** Which half of the campaigns: thresholds are chosen on the first and reported on the second. */
export const HALVES = ['choosing', 'reporting'] as const

/** Messages from which near-duplicates are a campaign. */
const CAMPAIGN_MIN = 3

/** A member of a campaign, and the signature of its own text. */
interface Member extends Judged {
  readonly signature: Signature
}

/** The members of each campaign in order, by halves. Renderings of a written text are no campaign. */
export async function campaignsOf(
  samples: readonly Sample[],
  { models }: Judges,
): Promise<Member[][][]> {
  const real = samples.filter(({ source, spam }) => source !== 'written' && spam !== undefined)
  const halves: { sample: Sample; signature: Signature }[][][] = [[], []]
  for (const own of Map.groupBy(real, ({ source }) => source).values()) {
    const signatures = own.map(({ bytes }) => {
      const { subject, own: text } = passagesOf(
        parseMessage(memoryOctets(bytes)),
        models.commonText,
      )
      return signatureOf(`${subject} ${text}`)
    })
    const firsts = clusters(signatures)
    const members = own.map((sample, i) => ({ sample, signature: signatures[i] }))
    const groups = [...Map.groupBy(members.keys(), (i) => firsts[i]!).values()]
    groups.forEach((group, i) => {
      if (group.length >= CAMPAIGN_MIN) halves[i % 2]!.push(group.map((at) => members[at]!))
    })
  }
  const all = halves.flat(2)
  const judged = await judgedOf(
    all.map(({ sample }) => sample),
    models,
  )
  const found = new Map(all.map((member, i) => [member, judged[i]!]))
  return halves.map((campaigns) =>
    campaigns.map((members) =>
      members.map((member) => ({ ...found.get(member)!, signature: member.signature })),
    ),
  )
}

/** Members of a campaign that are corrected. */
const CORRECTED_MAX = 6

/** Shares of the rest that a correction as spam makes spam; means over campaigns, each weighing the same. */
export function reachOf(
  campaigns: readonly (readonly Member[])[],
  { training }: Judges,
  policy: Policy,
) {
  const outcomes = campaigns
    .map((members) => outcomesOf(members, training, policy))
    .filter((of) => of.length > 0)
  const share = (is: (outcome: (typeof outcomes)[number][number]) => boolean) =>
    meanOf(outcomes.map((of) => shareOf(of, is)))
  return {
    campaigns: outcomes.length,
    memory: share(({ memory }) => memory),
    memoryOrTemplate: share(({ memory, template }) => memory || template),
    // With the Sender rule that a correction makes by itself.
    withRules: share(({ memory, template, sender }) => memory || template || sender),
    modelsAlone: share(({ models }) => models),
    withModels: share(({ verdict, template }) => verdict || template),
  }
}

/** What decides about each copy of a corrected member: a chain of copies may begin and end with different mail. */
function outcomesOf(members: readonly Member[], training: Judges['training'], policy: Policy) {
  return members.slice(0, CORRECTED_MAX).flatMap((corrected) => {
    const evidenceOf = evidenceAfter([{ ...corrected, spam: true }], training)
    const template = corrected.patterns.template ?? ''
    return members
      .filter((other) => other !== corrected && areCopies(corrected.signature, other.signature))
      .map(({ patterns, analysis, ...other }) => {
        const evidence = evidenceOf({ patterns, analysis, ...other })
        return {
          memory: evidence.memoryVote?.label === 'spam',
          template: patterns.template !== undefined && templateMatches(template, patterns.template),
          sender: (evidence.ruleMatches ?? []).length > 0,
          models: decide(analysis, NO_EVIDENCE, policy).isSpam,
          verdict: decide(analysis, evidence, policy).isSpam,
        }
      })
  })
}
