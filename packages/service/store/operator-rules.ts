/** The text of rules that was stored by API: one row. The operator's file is not here (rules/rules-file.ts). */
import { appendChange } from './changes.ts'
import { type Context, type Queries, storedText } from './context.ts'

/** The stored text; '' where none was stored. */
export async function operatorRules(db: Queries): Promise<string> {
  const row = await db.selectFrom('operator_rules').select('text').executeTakeFirst()
  return row?.text ?? ''
}

export async function setOperatorRules(db: Queries, context: Context, text: string): Promise<void> {
  const values = { text: storedText(text), updated_at: context.now.getTime() }
  await db
    .insertInto('operator_rules')
    .values({ id: 1, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  await appendChange(db, context, { topic: 'rules' })
}
