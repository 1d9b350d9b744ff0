/** Routes for the operator's rules (docs/rules.md): the file and the stored text, with what became of each rule. */

import { TamisError } from '../../../errors/errors.ts'
import { faultText } from '../../../mail/operator-rules/grammar.ts'
import { type Static, Type } from '../../json-schema.ts'
import type { OperatorRules } from '../../rules/operator-rules.ts'
import { parsed } from '../../rules/rules-file.ts'
import { ok, operation } from '../route.ts'
import { Component, ListOf, Text } from '../schemas.ts'

/** Bytes of a body: some ten thousand rules. Every change of them has every process read all of it; more belong in the file. */
const BODY_BYTES_MAX = 1024 ** 2

const FAULTS = ListOf('What is wrong with it', {
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  message: Type.String(),
})

const RulesText = (description: string) =>
  Type.Object({ text: Type.String(), faults: FAULTS }, { description, additionalProperties: false })

const OperatorRulesResult = Component('OperatorRules', {
  file: Type.Optional(
    RulesText(
      'The file of the operator (TAMIS_RULES); absent where there is none. The text is what is in use, the faults are of the file as it is on disk',
    ),
  ),
  stored: RulesText('What was stored by API; it comes after the file'),
  rules: ListOf('The rules in use, in their order', {
    id: Text('`file:` or `stored:`, and the line'),
    text: Type.String(),
    hits: Type.Integer({
      minimum: 0,
      description: 'Verdicts in which it had a part since the start',
    }),
  }),
})

type OperatorRulesResult = Static<typeof OperatorRulesResult>

const RulesBody = Component('OperatorRulesBody', {
  text: Text('All rules, one a line', 'block from *.top\n'),
})

export const OPERATOR_RULES = [
  operation({
    method: 'GET',
    path: '/rules',
    scope: 'admin',
    operationId: 'operatorRules',
    tag: 'Operate',
    summary: "The operator's rules, and how often each has applied",
    description:
      'The text of the file and of what is stored, with faults, and all rules in use with their hits.',
    answers: ok('The rules', OperatorRulesResult),
    handler: (_request, { classifier }): Promise<OperatorRulesResult> => statusOf(classifier),
  }),
  operation({
    method: 'PUT',
    path: '/rules',
    scope: 'admin',
    operationId: 'setOperatorRules',
    tag: 'Operate',
    summary: 'Replaces the stored rules',
    description:
      'The whole text, in the grammar of the file (docs/rules.md); a fault is answered with `line` and `column`, and nothing changes. The rules apply at once in this process, and within a second or two in others.',
    body: { schema: RulesBody, bytesMax: BODY_BYTES_MAX },
    answers: ok('The rules', OperatorRulesResult),
    handler: async (request, { classifier }): Promise<OperatorRulesResult> => {
      const { text } = request.body
      const [fault] = (await parsed(text, 'stored')).faults
      if (fault !== undefined) {
        const { line, column } = fault
        throw new TamisError('FIELD_INVALID', `text, ${faultText(fault)}`, {
          details: { field: 'text', line, column },
        })
      }
      await classifier.rules.store(text)
      return await statusOf(classifier)
    },
  }),
]

async function statusOf({
  rules,
}: {
  readonly rules: OperatorRules
}): Promise<OperatorRulesResult> {
  const { file, stored, rules: each } = await rules.status()
  return {
    ...(file && { file: { text: file.text, faults: [...file.faults] } }),
    stored: { text: stored.text, faults: [...stored.faults] },
    rules: each,
  }
}
