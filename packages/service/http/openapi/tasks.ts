/**
 * What people do with the service, in the order in which a new user needs it: the first part of the
 * reference. Each task is an operation or a few, with an example that works as it stands.
 */
import type { Example, Operation } from '../route.ts'
import {
  BASE_URL,
  curlCommand,
  printedClientCall,
  pythonProgram,
  pythonRequest,
} from './samples.ts'

/** A spam message. Its lines end in LF, as those of a pasted command do. */
const MESSAGE = [
  'From: Prize Office <office@example.net>',
  'To: sam@example.com',
  'Subject: You have won 850,000 euros',
  '',
  'Claim your prize today: http://192.0.2.7/claim',
  '',
].join('\n')

const USER = 'sam@example.com'

const SENDER = { userId: USER, ruleType: 'Sender', pattern: 'example.net' } as const

interface Step {
  readonly operationId: string
  /** What the step does; absent if the task has one step. */
  readonly title?: string
  /** The example of the request, if it is not that of the operation. */
  readonly example?: Example
}

interface Task {
  /** The anchor in the page, in words with hyphens. No operation or error code has one. */
  readonly id: string
  readonly title: string
  /** A short paragraph, with `code` in backquotes. */
  readonly text: string
  readonly steps: readonly Step[]
}

const TASKS: readonly Task[] = [
  {
    id: 'judge-a-message',
    title: 'Judge a message',
    text: 'Send the raw message and get a verdict: spam or not, and one of four classes. The headers are optional. `X-Sender-IP` and `X-Sender-Email` make the verdict better; with `X-User-ID`, the rules and corrections of this user count.',
    steps: [
      {
        operationId: 'classifyStream',
        example: {
          headers: {
            'X-Sender-IP': '192.0.2.25',
            'X-Sender-Email': 'office@example.net',
            'X-User-ID': USER,
          },
        },
      },
    ],
  },
  {
    id: 'judge-for-several-recipients',
    title: 'Judge for several recipients',
    text: 'A mail server often has one message for many mailboxes. Send it once and name up to 100 users: the message is analysed once and decided for each of them.',
    steps: [
      {
        operationId: 'classifyStreamRecipients',
        example: { headers: { 'X-User-IDs': '["sam@example.com", "kim@example.com"]' } },
      },
    ],
  },
  {
    id: 'explain-a-verdict',
    title: 'Explain a verdict',
    text: 'The answer has a score, the score that counts as spam, and reasons whose points add up to the score. `POST /classify/diagnostic-stream` tells everything that was read and computed; it is not for mail flow.',
    steps: [{ operationId: 'classifyStreamReasons', example: { headers: {} } }],
  },
  {
    id: 'sort-by-class',
    title: 'Sort by class',
    text: 'If another filter looks for spam, ask for the class alone: `primary`, `promotions`, `updates` or `transactions`, with the probability of each.',
    steps: [{ operationId: 'tabsClassifyStream', example: { headers: { 'X-User-ID': USER } } }],
  },
  {
    id: 'correct-a-verdict',
    title: 'Correct a verdict, and undo it',
    text: 'When a user says that a message is spam, or is not, send the message with `X-Is-Spam`. The next message like it is judged right for this user. To undo the correction, send the message to `/feedback/withdraw-stream`.',
    steps: [
      {
        operationId: 'feedbackStream',
        title: 'Correct the verdict',
        example: { headers: { 'X-User-ID': USER, 'X-Is-Spam': 'true' } },
      },
      {
        operationId: 'withdrawFeedbackStream',
        title: 'Undo the correction',
        example: { headers: { 'X-User-ID': USER } },
      },
    ],
  },
  {
    id: 'correct-a-class',
    title: 'Correct a class, and undo it',
    text: 'Send the message with the right class in `X-Classification`. The value `automatic` undoes the correction, and the model decides again.',
    steps: [
      {
        operationId: 'tabsFeedbackStream',
        title: 'Correct the class',
        example: { headers: { 'X-User-ID': USER, 'X-Classification': 'promotions' } },
      },
      {
        operationId: 'tabsFeedbackStream',
        title: 'Undo the correction',
        example: { headers: { 'X-User-ID': USER, 'X-Classification': 'automatic' } },
      },
    ],
  },
  {
    id: 'allow-or-block-a-sender',
    title: 'Allow or block a sender',
    text: 'A rule with the label `spam` blocks a sender, one with `ham` allows it. The pattern is an address or a domain. A rule is for one user and takes effect at once.',
    steps: [
      {
        operationId: 'createRule',
        title: 'Block example.net',
        example: { body: { ...SENDER, label: 'spam' } },
      },
      {
        operationId: 'rules',
        title: 'List the rules of the user',
        example: { query: { userId: USER } },
      },
      { operationId: 'removeRule', title: 'Remove the rule', example: { body: SENDER } },
    ],
  },
  {
    id: 'forget-a-user',
    title: 'Forget a user',
    text: 'The memory holds what a user has corrected, and no text of the messages. Deletion removes rules, memory and corrections for good, and what the shared models learned from them.',
    steps: [
      {
        operationId: 'memory',
        title: 'See what is stored',
        example: { query: { userId: USER } },
      },
      { operationId: 'deleteData', title: 'Delete all of it', example: { body: { userId: USER } } },
    ],
  },
  {
    id: 'embed-a-text',
    title: 'Embed a text',
    text: 'Get 384 numbers that say what a text is about, from the model with which the service compares messages. The closer the dot product of two embeddings is to 1, the more alike are the texts.',
    steps: [{ operationId: 'embedText' }],
  },
  {
    id: 'watch-the-service',
    title: 'Watch the service',
    text: 'Ask `/ready` from a load balancer: 200 means that the service takes mail. `/stats` counts users, rules and corrections. `/metrics` is for Prometheus.',
    steps: [
      { operationId: 'ready', title: 'Is it ready?' },
      { operationId: 'stats', title: 'How much is stored?' },
      { operationId: 'metrics', title: 'Numbers for Prometheus' },
    ],
  },
]

/** A step with its operation; `operation.example` is the example of the step. */
export interface ReadyStep {
  readonly title: string | undefined
  readonly operation: Operation
  /** What a form is filled with. */
  readonly filled: Example & { readonly message?: string }
}

export interface ReadyTask {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly steps: readonly ReadyStep[]
  readonly curl: string
  readonly typeScript: string
  readonly python: string
}

/** @throws TypeError if a task names an operation that is not among `operations`. */
export function tasksWith(operations: readonly Operation[]): ReadyTask[] {
  return TASKS.map(({ id, title, text, steps: declared }) => {
    const steps = declared.map((step) => ready(step, operations))
    return {
      ...{ id, title, text, steps },
      curl: joined(steps, '#', `message='${MESSAGE}'`, (each) => curlCommand(each, '"$message"')),
      typeScript: `${CLIENT}\n${joined(steps, '//', `const message = new TextEncoder().encode(\`${MESSAGE}\`)`, printedClientCall)}`,
      python: pythonProgram(
        joined(steps, '#', `message = b"""${MESSAGE}"""`, (each) => pythonRequest(each, 'message')),
      ),
    }
  })
}

const CLIENT = `import { TamisClient } from 'tamis-client'

const tamis = new TamisClient({ url: '${BASE_URL}' })`

function ready({ operationId, title, example }: Step, operations: readonly Operation[]): ReadyStep {
  const found = operations.find((each) => each.operationId === operationId)
  if (found === undefined) throw new TypeError(`No operation is called ${operationId}`)
  const { clientArguments, ...rest } = found
  const operation = example === undefined ? found : { ...rest, example }
  const filled = { ...operation.example, ...(takesMessage(operation) && { message: MESSAGE }) }
  return { title, operation, filled }
}

function takesMessage({ body }: Operation): boolean {
  return body === 'message'
}

/** The steps in one program, each below a comment with its title; `message` is its first statement if a step needs it. */
function joined(
  steps: readonly ReadyStep[],
  comment: string,
  message: string,
  sample: (operation: Operation) => string,
): string {
  const samples = steps.map(({ title, operation }) => {
    const text = sample(operation)
    return title === undefined ? text : `${comment} ${title}\n${text}`
  })
  const needed = steps.some(({ operation }) => takesMessage(operation)) ? [message] : []
  return [...needed, ...samples].join('\n\n')
}
