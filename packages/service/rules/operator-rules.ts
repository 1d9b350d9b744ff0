/**
 * The operator's rules as one thread uses them: those of the file (TAMIS_RULES), then those that were stored by `PUT /rules`.
 *
 * The file is read when the thread starts: a reload replaces threads. The stored text is read then, and again whenever another
 * thread or replica has changed it; what cannot be read leaves the rules as they are.
 */
import type { ParsedRules } from '../../mail/operator-rules/grammar.ts'
import {
  indexOperatorRules,
  learningOf,
  NO_RULES,
  type RuleIndex,
} from '../../mail/operator-rules/match.ts'
import type { Learning, Rule } from '../../mail/operator-rules/rule.ts'
import { recipientOf } from '../policies.ts'
import type { Store } from '../store/store.ts'
import { ALONE_SHARED, type Shared } from '../threads/shared.ts'
import { parsed, parseRulesFile, type RulesFile, readRulesFile } from './rules-file.ts'

/** From whom something is learned and from whom not. */
export interface LearningChoices {
  /** Undefined where the rules say nothing of the user. */
  of(userId: string): Learning | undefined
  /** The same for the same choices, and another for others; '' for none. */
  readonly name: string
}

export const NO_CHOICES: LearningChoices = { of: () => undefined, name: '' }

/** How often each rule has applied, by its text: lines move when the file is edited. */
const HITS = 'rule hits'

type Hits = readonly (readonly [text: string, hits: number])[]

type RulesStore = Pick<Store, 'operatorRules' | 'setOperatorRules' | 'watch'>

export interface OperatorRulesOptions {
  readonly path: string | undefined
  readonly store: RulesStore
  /** Called with an error in the background; the rules stay as they are. */
  readonly onError: (error: unknown) => void
  readonly shared?: Pick<Shared, 'ask' | 'answer'>
}

export class OperatorRules {
  readonly #store: RulesStore
  readonly #shared: Pick<Shared, 'ask' | 'answer'>
  readonly #hits = new Map<string, number>()
  readonly #path: string | undefined
  readonly #file: RulesFile | undefined
  #stored: ParsedRules & { readonly text: string } = { text: '', rules: [], faults: [] }
  #index: RuleIndex = NO_RULES
  #learning: LearningChoices = NO_CHOICES
  #reading: Promise<void> = Promise.resolve()
  #stopWatching: () => void = () => {}
  /** Called when the rules have changed from whom to learn. */
  onLearning: () => void = () => {}

  private constructor(options: OperatorRulesOptions, file: RulesFile | undefined) {
    const { path, store, shared = ALONE_SHARED } = options
    this.#path = path
    this.#file = file
    this.#store = store
    this.#shared = shared
    shared.answer(HITS, () => [...this.#hits])
  }

  /** @throws TamisError CONFIG_INVALID for the file; STORE_UNAVAILABLE. */
  static async open(options: OperatorRulesOptions): Promise<OperatorRules> {
    const { path, store, onError } = options
    const rules = new OperatorRules(options, await readRulesFile(path))
    rules.#stopWatching = store.watch(({ topic }) =>
      topic === 'rules' ? rules.#readStored().catch(onError) : undefined,
    )
    await rules.#readStored()
    return rules
  }

  close(): void {
    this.#stopWatching()
  }

  /** The rules in use. */
  get index(): RuleIndex {
    return this.#index
  }

  get learning(): LearningChoices {
    return this.#learning
  }

  /** Counts the rules that had a part in a verdict. */
  count(applied: readonly Rule[]): void {
    for (const { text } of applied) this.#hits.set(text, (this.#hits.get(text) ?? 0) + 1)
  }

  /** Replaces the stored text, which the caller has checked. It applies here when this resolves. @throws TamisError STORE_UNAVAILABLE */
  async store(text: string): Promise<void> {
    await this.#store.setOperatorRules(text)
    await this.#readStored()
  }

  /** Texts, faults and hits. A fault of the file is of what is on disk now: a reload would refuse it, and the text in use stays. */
  async status() {
    const hits = new Map(this.#hits)
    for (const other of await this.#shared.ask(HITS)) {
      for (const [text, count] of other as Hits) hits.set(text, (hits.get(text) ?? 0) + count)
    }
    return {
      file: this.#file && {
        text: this.#file.text,
        faults: this.#path === undefined ? [] : await faultsOnDisk(this.#path),
      },
      stored: { text: this.#stored.text, faults: this.#stored.faults },
      rules: this.#index.rules.map(({ id, text }) => ({ id, text, hits: hits.get(text) ?? 0 })),
    }
  }

  /** One reading after the other, so that the last is what applies. */
  #readStored(): Promise<void> {
    const reading = this.#reading.then(() => this.#applyStored())
    this.#reading = reading.catch(() => {})
    return reading
  }

  async #applyStored(): Promise<void> {
    const text = await this.#store.operatorRules()
    const { rules, faults } = await parsed(text, 'stored')
    // They were checked when they were stored; another version of Tamis may know other rules.
    this.#stored = { text, faults, rules: faults.length > 0 ? [] : rules }
    this.#index = indexOperatorRules([...(this.#file?.rules ?? []), ...this.#stored.rules])
    const texts = new Set(this.#index.rules.map(({ text }) => text))
    for (const text of this.#hits.keys()) if (!texts.has(text)) this.#hits.delete(text)
    const before = this.#learning.name
    this.#learning = choicesOf(this.#index)
    if (this.#learning.name !== before) this.onLearning()
  }
}

function choicesOf(index: RuleIndex): LearningChoices {
  const chosen = index.rules.filter(({ action }) => action.verb === 'learning')
  if (chosen.length === 0) return NO_CHOICES
  const ofLearning = indexOperatorRules(chosen)
  return {
    of: (userId) => learningOf(ofLearning, recipientOf(userId)),
    name: chosen.map(({ text }) => text).join('\n'),
  }
}

async function faultsOnDisk(path: string): Promise<ParsedRules['faults']> {
  try {
    return (await parseRulesFile(path, 'TAMIS_RULES')).faults
  } catch (error) {
    return [{ line: 1, column: 1, message: (error as Error).message }]
  }
}
