/** What the HTTP API takes and answers. Made by `npm run docs` from the service's routes. */

/** The service's error codes: docs/errors.md. */
export type ErrorCode =
  | 'NOT_A_MESSAGE'
  | 'HEADER_INVALID'
  | 'FIELD_INVALID'
  | 'PATH_NOT_READABLE'
  | 'PATH_FORMS_DISABLED'
  | 'MESSAGE_TOO_LARGE'
  | 'CONTENT_TYPE_UNSUPPORTED'
  | 'TRANSFER_ENCODING_UNSUPPORTED'
  | 'BODY_TRUNCATED'
  | 'REQUEST_ABANDONED'
  | 'REQUEST_MALFORMED'
  | 'REQUEST_TIMEOUT'
  | 'REQUEST_HEADER_TOO_LARGE'
  | 'ORIGIN_FORBIDDEN'
  | 'UNAUTHENTICATED'
  | 'SCOPE_MISSING'
  | 'RATE_LIMITED'
  | 'NOT_ENTITLED'
  | 'RULES_FULL'
  | 'HISTORY_OFF'
  | 'NOT_FOUND'
  | 'PATH_UNKNOWN'
  | 'METHOD_NOT_ALLOWED'
  | 'QUEUE_FULL'
  | 'QUEUE_TIMEOUT'
  | 'BUFFERS_FULL'
  | 'NOT_READY'
  | 'STORE_UNAVAILABLE'
  | 'STORE_DAMAGED'
  | 'SHUTTING_DOWN'
  | 'CONFIG_INVALID'
  | 'ARTIFACT_MISMATCH'
  | 'ENCODER_UNAVAILABLE'
  | 'LEARNING_HARMS'
  | 'CORPUS_INVALID'
  | 'INTERNAL'

/** Spam verdict and class */
export type FullResult = {
  /** Whether the message is considered spam */
  isSpam: boolean
  /** 0 = not spam, 1 = definitely spam */
  spamProbability: number
  /** Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient. Spam has one too: that of the mail it looks like, which says nothing for it. File by it only if `isSpam` is false */
  classification: 'primary' | 'promotions' | 'updates' | 'transactions'
  /** Score of the text analysis model */
  textSpamScore: number
  /** Score of the header and metadata model */
  metaSpamScore: number
  /** Distance from the decision boundary */
  confidenceMargin: number
  /** Uncertainty in bits; lower = more certain */
  entropy: number
  /** Degree to which the two models disagree */
  disagreement: number
  /** True when human review is recommended */
  shouldEscalate: boolean
  /** Set when a rule overrode the model, null otherwise */
  bypassReason: 'phishtank_match' | 'user_rule' | 'knn_memory' | 'parse_error' | null
  /** Whether the sender passed SPF, DKIM and DMARC authentication */
  senderAuthenticated: boolean
}

export type ClassifyPathBody = {
  /** Absolute path of the .eml file */
  path: string
  /** Address of the sending client */
  ipAddress?: string
  /** Envelope sender */
  senderEmail?: string
  /** Recipient; empty means none */
  userId?: string
}

/** `shared`: the verdict for a user without corrections; `recipients`: for each user */
export type RecipientsResult = {
  /** Spam verdict and class */
  shared: FullResult
  /** The verdict for each of `X-User-IDs`, in their order */
  recipients: {
    /** As in `X-User-IDs` */
    userId: string
    /** Whether the message is considered spam */
    isSpam: boolean
    /** 0 = not spam, 1 = definitely spam */
    spamProbability: number
    /** Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient. Spam has one too: that of the mail it looks like, which says nothing for it. File by it only if `isSpam` is false */
    classification: 'primary' | 'promotions' | 'updates' | 'transactions'
    /** Score of the text analysis model */
    textSpamScore: number
    /** Score of the header and metadata model */
    metaSpamScore: number
    /** Distance from the decision boundary */
    confidenceMargin: number
    /** Uncertainty in bits; lower = more certain */
    entropy: number
    /** Degree to which the two models disagree */
    disagreement: number
    /** True when human review is recommended */
    shouldEscalate: boolean
    /** Set when a rule overrode the model, null otherwise */
    bypassReason: 'phishtank_match' | 'user_rule' | 'knn_memory' | 'parse_error' | null
    /** Whether the sender passed SPF, DKIM and DMARC authentication */
    senderAuthenticated: boolean
    /** Spam probability from which spam for this user is to be refused, or `never`; absent if the tenant has not set it */
    rejectAt?: number | string
    /** Spam probability from which spam for this user is to be held, or `never`; absent if the tenant has not set it */
    quarantineAt?: number | string
  }[]
  /** `X-Reference`, if the history keeps the message under it */
  reference?: string
  /** Identity of the message, and the strongest reasons in it; with `X-Summary` */
  summary?: MessageSummary
}

/** Identity of the message, and the strongest reasons in it; with `X-Summary` */
export type MessageSummary = {
  /** Message-ID without its brackets, at most 200 printable ASCII characters */
  messageId: string
  /** Domain of the address in From, or empty */
  senderDomain: string
  /** What the message is, and why, in one sentence; absent without spam detection, and where recipients differ */
  sentence?: string
  /** At most five, the strongest first */
  reasons: {
    /** Name of a signal, or of another reason (`TAMIS_…`) */
    name: string
    /** Log-odds; negative values are evidence against spam */
    points: number
    description: string
  }[]
}

/** Spam verdict and class, with a score and its reasons */
export type ReasonsResult = {
  /** Whether the message is considered spam */
  isSpam: boolean
  /** 0 = not spam, 1 = definitely spam */
  spamProbability: number
  /** Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient. Spam has one too: that of the mail it looks like, which says nothing for it. File by it only if `isSpam` is false */
  classification: 'primary' | 'promotions' | 'updates' | 'transactions'
  /** Score of the text analysis model */
  textSpamScore: number
  /** Score of the header and metadata model */
  metaSpamScore: number
  /** Distance from the decision boundary */
  confidenceMargin: number
  /** Uncertainty in bits; lower = more certain */
  entropy: number
  /** Degree to which the two models disagree */
  disagreement: number
  /** True when human review is recommended */
  shouldEscalate: boolean
  /** Set when a rule overrode the model, null otherwise */
  bypassReason: 'phishtank_match' | 'user_rule' | 'knn_memory' | 'parse_error' | null
  /** Whether the sender passed SPF, DKIM and DMARC authentication */
  senderAuthenticated: boolean
  /** Log-odds of spamProbability, shifted so that the threshold is at `requiredScore`, in tenths, from -15 to 25 */
  score: number
  /** Score from which a message is spam */
  requiredScore: number
  /** What the message is, and why, in one sentence; absent without spam detection, and where recipients differ */
  sentence?: string
  /** The strongest first */
  reasons: {
    /** Name of a signal, or of another reason (`TAMIS_…`) */
    name: string
    /** They add up to `score` */
    points: number
    description?: string
    /** May contain words of the message */
    evidence?: string
  }[]
  /** `X-Reference`, if the history keeps the message under it */
  reference?: string
  /** Identity of the message, and the strongest reasons in it; with `X-Summary` */
  summary?: MessageSummary
}

/** The class */
export type TabsResult = {
  /** Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient */
  classification: 'primary' | 'promotions' | 'updates' | 'transactions'
  /** Confidence in the assigned class */
  confidence: number
  /** Probability of each class; they sum to 1 */
  classificationProbabilities: {
    primary: number
    promotions: number
    updates: number
    transactions: number
  }
  /** Set when personalization was applied, null otherwise */
  personalizationSource: 'tabs_rule' | 'tabs_knn' | null
  /** From the body received to the answer, in milliseconds, rounded up */
  elapsedMs: number
}

export type TabsPathBody = {
  /** Absolute path of the .eml file */
  path: string
  /** Address of the sending client */
  senderIp?: string
  /** Envelope sender */
  senderEmail?: string
  /** Recipient; empty means none */
  userId?: string
}

/** Everything that led to the verdict */
export type DiagnosticResult = {
  /** What was read of the message */
  email: {
  }
  /** Spam verdict and class */
  result: FullResult
  /** Inputs and outputs of each model, raw also when overridden */
  models: {
  }
  /** Links of the message, and the feed entry that one of them matched */
  urlScanner: {
  }
  tabs: {
    /** Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient */
    classification: 'primary' | 'promotions' | 'updates' | 'transactions'
    /** Confidence in the assigned class */
    confidence: number
    /** Probability of each class; they sum to 1 */
    classificationProbabilities: {
      primary: number
      promotions: number
      updates: number
      transactions: number
    }
    /** Set when personalization was applied, null otherwise */
    personalizationSource: 'tabs_rule' | 'tabs_knn' | null
  }
  /** Rule and memory of the user that applied */
  personalization: {
  }
  explanation: {
  } | null
  /** Milliseconds per stage */
  timing: Record<string, number>
}

export type EmbedTextResult = {
  /** 384 numbers, 1 long (L2); all 0 for a text without a visible character, and with the table for one without a word */
  embedding?: number[]
  /** With `texts`: one for each, in order */
  embeddings?: number[][]
}

export type EmbedTextBody = {
  /** Text of any length; only its beginning counts */
  text?: string
  /** Instead of `text`: several at once */
  texts?: string[]
}

export type SpamFeedbackResult = {
  /** `success`: recorded, and counted for the model that all users share; `personalization_only`: recorded for this user only, and the global model deliberately did not learn from it; `already_recorded`: nothing has changed */
  status: 'success' | 'personalization_only' | 'already_recorded'
  /** The user: 1 to 256 visible characters */
  userId: string
  /** Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
  feedbackId: string
}

export type FeedbackPathBody = {
  /** Absolute path of the .eml file */
  path: string
  /** The user: 1 to 256 visible characters */
  userId: string
  /** true: spam; false: not spam */
  isSpam: boolean
  /** Address of the sending client */
  ipAddress?: string
  /** Envelope sender */
  senderEmail?: string
}

export type TabsFeedbackResult = {
  /** `success`: recorded; `reset`: the correction of the message was withdrawn; `already_recorded`: nothing has changed */
  status: 'success' | 'reset' | 'already_recorded'
  /** The user: 1 to 256 visible characters */
  userId: string
  /** The right class; `automatic` returns to the model. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient */
  classification: 'primary' | 'promotions' | 'updates' | 'transactions' | 'automatic'
  /** Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
  feedbackId: string
}

export type TabsFeedbackPathBody = {
  /** Absolute path of the .eml file */
  path: string
  /** The user: 1 to 256 visible characters */
  userId: string
  /** The right class; `automatic` returns to the model. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient */
  correctClassification: 'primary' | 'promotions' | 'updates' | 'transactions' | 'automatic'
}

export type WithdrawnFeedback = {
  /** `none`: the user had not corrected this message */
  status: 'removed' | 'none'
  /** The user: 1 to 256 visible characters */
  userId: string
}

export type RemovedFeedback = {
  status: 'removed'
  /** Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
  feedbackId: string
}

export type SpamRule = {
  id: string
  /** The user: 1 to 256 visible characters */
  userId: string
  /** What the rule matches */
  ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
  /** What the rule does */
  label: 'ham' | 'spam'
  /** A Sender rule has an address, a domain or a wildcard (`*@example.com`, `*.example.com`); a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule the pattern of a rule made from a message */
  pattern: string
  /** `correction`: made automatically from a correction */
  source: 'explicit' | 'correction'
  /** True when it was not made from an authenticated message */
  unverified: boolean
  createdAt: string
}

export type SpamRulePathBody = {
  /** Absolute path of the .eml file */
  path: string
  /** The user: 1 to 256 visible characters */
  userId: string
  /** What the rule matches */
  ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
  /** What the rule does */
  label: 'ham' | 'spam'
}

export type SpamRuleBody = {
  /** The user: 1 to 256 visible characters */
  userId: string
  /** What the rule matches */
  ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
  /** What the rule does */
  label: 'ham' | 'spam'
  /** A Sender rule has an address, a domain or a wildcard (`*@example.com`, `*.example.com`); a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule the pattern of a rule made from a message */
  pattern: string
}

export type SpamRules = {
  /** The user: 1 to 256 visible characters */
  userId: string
  rules: SpamRule[]
}

export type RemovedRules = {
  status: 'removed'
  removed: number
}

export type RemoveRuleBody = {
  /** The user: 1 to 256 visible characters */
  userId: string
  /** What the rule matches */
  ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
  /** A Sender rule has an address, a domain or a wildcard (`*@example.com`, `*.example.com`); a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule the pattern of a rule made from a message */
  pattern: string
}

export type ClassRule = {
  id: string
  /** The user: 1 to 256 visible characters */
  userId: string
  /** What the rule matches */
  ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
  /** What the rule does */
  classification: 'primary' | 'promotions' | 'updates' | 'transactions'
  /** A Sender rule has an address, a domain or a wildcard (`*@example.com`, `*.example.com`); a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule the pattern of a rule made from a message */
  pattern: string
  /** `correction`: made automatically from a correction */
  source: 'explicit' | 'correction'
  /** True when it was not made from an authenticated message */
  unverified: boolean
  createdAt: string
}

export type ClassRulePathBody = {
  /** Absolute path of the .eml file */
  path: string
  /** The user: 1 to 256 visible characters */
  userId: string
  /** What the rule matches */
  ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
  /** What the rule does */
  classification: 'primary' | 'promotions' | 'updates' | 'transactions'
}

export type ClassRuleBody = {
  /** The user: 1 to 256 visible characters */
  userId: string
  /** What the rule matches */
  ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
  /** What the rule does */
  classification: 'primary' | 'promotions' | 'updates' | 'transactions'
  /** A Sender rule has an address, a domain or a wildcard (`*@example.com`, `*.example.com`); a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule the pattern of a rule made from a message */
  pattern: string
}

export type ClassRules = {
  /** The user: 1 to 256 visible characters */
  userId: string
  rules: ClassRule[]
}

/** Users with stored data */
export type UsersResult = {
  /** In the order of their ids, by code points */
  users: {
    /** The user: 1 to 256 visible characters */
    userId: string
    /** Explicit rules */
    rules: number
    /** Corrections in force; at most 2,000 of each kind, the size of the memory. 0 if all were withdrawn: they stay in the log */
    corrections: number
    /** Absent if none is in force */
    lastCorrection?: string
    /** Correspondents of all kinds */
    correspondents: number
  }[]
  /** If there are more */
  cursor?: string
}

/** Corrections of a user in force */
export type CorrectionsResult = {
  /** The user: 1 to 256 visible characters */
  userId: string
  /** Newest first */
  corrections: {
    /** Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
    feedbackId: string
    kind: 'spam' | 'tabs'
    /** `spam` or `ham`, or a class */
    label: string
    /** Domain of the sender, if the message was authenticated */
    authenticatedDomain?: string
    /** Domain in From of a message that was not authenticated, which anyone can write; absent if From does not have exactly one address, or an earlier release made the correction */
    claimedDomain?: string
    /** First words of the subject, at most 8 words and 60 characters; only of corrections made while `TAMIS_MEMORY_SUBJECTS` is `on` */
    subjectWords?: string
    createdAt: string
  }[]
  /** If there are more */
  cursor?: string
}

export type MemoryResult = {
  /** The user: 1 to 256 visible characters */
  userId: string
  items: {
    /** Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
    feedbackId: string
    kind: 'spam' | 'tabs'
    /** `spam` or `ham`, or a class */
    label: string
    /** The model that made the vector */
    embeddingModel: string
    /** Equal for corrections of one message; nothing can be read from it */
    similarityKey: string
    /** Domain of the sender, if the message was authenticated */
    authenticatedDomain?: string
    /** Domain in From of a message that was not authenticated, which anyone can write; absent if From does not have exactly one address, or an earlier release made the correction */
    claimedDomain?: string
    /** First words of the subject, at most 8 words and 60 characters; only of corrections made while `TAMIS_MEMORY_SUBJECTS` is `on` */
    subjectWords?: string
    createdAt: string
  }[]
}

export type DeletedData = {
  status: 'deleted'
  /** The user: 1 to 256 visible characters */
  userId: string
  deletedAt: string
  deleted: {
    /** Explicit rules */
    rules: number
    /** Corrections in the memory */
    memory: number
    /** Corrections in the log */
    feedback: number
    /** Entries in the history; absent if there were none */
    history?: number
    /** Correspondents; absent if there were none */
    correspondents?: number
  }
  /** Rebuilds the models without the user: `GET /jobs/{id}` */
  jobId: string
}

export type UserBody = {
  /** The user: 1 to 256 visible characters */
  userId: string
}

export type RecordedCorrespondents = {
  status: 'recorded'
  /** The user: 1 to 256 visible characters */
  userId: string
  /** Those of them that are new */
  added: number
}

export type CorrespondentsBody = {
  /** The user: 1 to 256 visible characters */
  userId: string
  /** Email addresses that the user writes to, without names; case does not matter */
  addresses: string[]
  /** Message-IDs of messages that the user has sent */
  messageIds?: string[]
}

export type CorrespondentsResult = {
  /** The user: 1 to 256 visible characters */
  userId: string
  /** In the order of kinds and keys */
  correspondents: {
    /** `written`: an address that the user has written to; `sent`: the Message-ID of a message that the user has sent; `received`: a sender whose mail the user has long received; `heard`: one whose mail is being counted, and says nothing yet */
    kind: 'written' | 'sent' | 'received' | 'heard'
    /** Equal for the same address or Message-ID of this user; nothing can be read from it */
    key: string
    /** How often it was learned; of received mail, on how many days */
    times: number
    firstAt: string
    lastAt: string
  }[]
  /** The `cursor` of the next page; null on the last one */
  next: string | null
}

export type RemovedCorrespondents = {
  status: 'removed'
  /** The user: 1 to 256 visible characters */
  userId: string
  /** How many there were */
  removed: number
}

export type RemoveCorrespondentsBody = {
  /** The user: 1 to 256 visible characters */
  userId: string
  /** Only these; all correspondents if absent */
  addresses?: string[]
}

export type JobResult = {
  jobId: string
  /** `rebuild`: the models, without a user who left */
  kind: string
  state: 'queued' | 'running' | 'done' | 'failed'
  createdAt: string
  finishedAt?: string
}

export type OperatorRules = {
  /** The file of the operator (TAMIS_RULES); absent where there is none. The text is what is in use, the faults are of the file as it is on disk */
  file?: {
    text: string
    /** What is wrong with it */
    faults: {
      line: number
      column: number
      message: string
    }[]
  }
  /** What was stored by API; it comes after the file */
  stored: {
    text: string
    /** What is wrong with it */
    faults: {
      line: number
      column: number
      message: string
    }[]
  }
  /** The rules in use, in their order */
  rules: {
    /** `file:` or `stored:`, and the line */
    id: string
    text: string
    /** Verdicts in which it had a part since the start */
    hits: number
  }[]
}

export type OperatorRulesBody = {
  /** All rules, one a line */
  text: string
}

export type SettingsResult = {
  /** By group */
  settings: {
    /** What it is about */
    group: 'thresholds' | 'senders' | 'feeds' | 'lists' | 'scanner' | 'learning' | 'history'
    /** Name in the settings file */
    key: string
    /** Name in the environment */
    environment: string
    /** In words; empty for none. Secrets, paths, users and domains are left out */
    value: string
    /** Where the value comes from */
    source: 'default' | 'environment' | 'file'
  }[]
  /** Keys of the tenant, by name; their values are not stored */
  keys: {
    name: string
    scopes: ('classify' | 'feedback' | 'admin' | 'operator')[]
    entitlements: ('spam' | 'classification')[]
    requestsPerMinuteMax?: number
    createdAt: string
  }[]
}

export type ModelsResult = {
  /** Version of the shipped models */
  base: string
  /** Counts over the current log of corrections, learned from in order */
  learning: {
    /** TAMIS_LEARNING: what changes the shared model */
    mode: 'users' | 'operator' | 'off'
    /** How often what was learned was put into use */
    promoted: number
    /** How often it was refused, because it made verdicts on the canary set (docs/corrections.md) worse */
    refused: number
  }
  /** Newest first */
  versions: {
    version: number
    state: 'candidate' | 'promoted' | 'rejected' | 'retired'
    base: string
    createdAt: string
    metrics: {
    }
  }[]
}

export type ModelCards = {
  models: {
    name: string
    version: string
    /** Its purpose and its known failures, in Markdown */
    card: string | null
    /** How it was made */
    manifest: {
    }
  }[]
}

export type ModelVersion = {
  /** In use from now on */
  version: number | null
}

/** The process is running */
export type Health = {
  status: 'ok'
}

/** The service accepts messages */
export type Ready = {
  status: 'ready'
  setAside?: {
    /** Corrections that no model learns from */
    features: number
    /** Memories that are compared only by their words */
    embeddings: number
  } | null
  feeds?: {
    feed: string
    entries: number
    /** Seconds since its source last delivered it or reported no change */
    ageSeconds: number | null
    /** Why the last attempt to get it failed: see docs/feeds.md */
    lastFailure: string | null
  }[]
  /** Absent without DNS lists */
  lists?: {
    list: string
    /** The list failed, and Tamis does not query it for some minutes */
    resting: boolean
    /** Why the last message was judged without its answer: see docs/lists.md */
    lastFailure: string | null
  }[]
  /** The virus scanner; absent without one */
  scanner?: {
    /** The scanner did not answer, and Tamis does not ask it for some seconds */
    resting: boolean
    /** Why the last message was judged without its answer: see docs/scanner.md */
    lastFailure: string | null
  }
  /** The second reading of messages near the threshold */
  reader?: {
    /** TAMIS_READER: which messages are read a second time */
    mode: 'doubtful' | 'always' | 'off'
    /** Whether all server processes can read messages */
    available: boolean
    /** Why not, although they should: a code (docs/errors.md) */
    failure: string | null
  }
  /** How senders are checked */
  senders?: {
    /** Whether all server processes check senders by DNS; with TAMIS_AUTH_DNS=auto false if no server answered at the start */
    dns: boolean
  }
}

export type StatsResult = {
  /** Users who have corrected anything */
  users: number
  /** User rules about spam and about classes, made by hand or by a correction; site rules are not counted */
  rules: number
  corrections: {
    /** Null if the licence does not include spam detection */
    spam: number | null
    tabs: number
  }
  correspondents: {
    /** Addresses that users have written to */
    written: number
    /** Messages that users have sent, by their Message-IDs */
    sent: number
    /** Senders whose mail users have long received */
    received: number
    /** Senders that are being counted, and say nothing yet */
    heard: number
  }
  /** Corrections made with another version of Tamis or another embedding model; for callers with the scope admin, null while the store is not available */
  setAside: {
    /** Corrections that no model learns from */
    features: number
    /** Memories that are compared only by their words */
    embeddings: number
  }
  /** Version of the shipped models */
  models: string
  embeddingModel: string
  /** Requests waiting to be judged */
  queueDepth: number
  feeds: {
    feed: string
    entries: number
    /** Seconds since its source last delivered it or reported no change */
    ageSeconds: number | null
    /** Why the last attempt to get it failed: see docs/feeds.md */
    lastFailure: string | null
  }[]
}

export type RecentResult = {
  /** Length of a step */
  stepSeconds: number
  /** Oldest first; there is none for a time without events; the last one is not complete */
  steps: {
    /** When it began */
    at: string
    /** Judged messages */
    messages: number
    /** Requests to judge a message that ended in 5xx or 429 */
    refused: number
    spam: number
    ham: number
    /** Verdicts with a bypassReason */
    overridden: number
    /** Verdicts that a person should review */
    escalated: number
    classes: {
      primary: number
      promotions: number
      updates: number
      transactions: number
    }
    /** Milliseconds from the header of a request to the end of its answer, to a tenth */
    latencyMs: {
      p50: number
      p95: number
      p99: number
    } | null
    /** Maximum number of waiting requests observed, summed over the processes of the service */
    queueDepth: number
    /** Age of each URL feed in seconds */
    feeds: Record<string, number | null>
  }[]
}

export type RecentMessagesResult = {
  /** Start of the counts: half an hour ago, or later if the service started later or keeps fewer messages */
  since: string
  /** At most the last twelve, the newest first */
  messages: {
    /** When it was answered */
    at: string
    /** Message-ID without its brackets, at most 200 printable ASCII characters */
    messageId?: string
    /** `mixed`: spam for some of the recipients; null if only the class was requested */
    verdict: 'spam' | 'ham' | 'mixed' | null
    /** The lowest among all recipients */
    spamProbability: number | null
    classification: 'primary' | 'promotions' | 'updates' | 'transactions'
    /** Set when a rule overrode the model, null otherwise */
    bypassReason: 'phishtank_match' | 'user_rule' | 'knn_memory' | 'parse_error' | null
    /** True when human review is recommended */
    shouldEscalate: boolean
    /** Domain of the address in From, or empty */
    senderDomain: string
    /** What the message is, and why, in one sentence; absent without spam detection, and where recipients differ */
    sentence?: string
    /** At most five, the strongest first */
    reasons: {
      /** Name of a signal, or of another reason (`TAMIS_…`) */
      name: string
      /** Log-odds; negative values are evidence against spam */
      points: number
      description: string
    }[]
    /** Milliseconds from the header of the request to the end of its answer */
    ms: number
  }[]
  /** The five strongest of each message count. At most ten, the one with the most effect first */
  reasons: {
    /** Name of a signal, or of another reason (`TAMIS_…`) */
    name: string
    description: string
    /** Messages that it moved towards spam */
    forSpam: number
    /** Messages that it moved away from spam */
    againstSpam: number
    /** Log-odds by which it moved one of them, on average */
    points: number
  }[]
  /** At most ten, the one with the most messages first */
  senders: {
    /** Domain of the address in From, or empty */
    domain: string
    messages: number
    /** Messages that were spam, for at least one recipient */
    spam: number
    /** Messages that were not spam */
    ham: number
  }[]
}

/** Judged messages, one entry per recipient */
export type HistoryResult = {
  /** Days for which entries are kept */
  days: number
  /** Newest first */
  entries: {
    /** Id of the entry within the tenant */
    id: string
    judgedAt: string
    /** Without its brackets, at most 200 printable ASCII characters */
    messageId?: string
    /** Address in From, if it has exactly one; the sender’s claim */
    sender?: string
    /** Domain of the first address in From */
    senderDomain?: string
    /** If the caller gave it; empty for the null sender */
    envelopeSender?: string
    /** The recipient, or the user who sent an outgoing message; absent for a verdict without a user */
    userId?: string
    /** Whether the message is considered spam */
    isSpam: boolean
    /** 0 = not spam, 1 = definitely spam */
    spamProbability: number
    /** The recipient’s threshold: above it the message is spam, unless `bypassReason` decided */
    threshold: number
    /** Set when a rule overrode the model, null otherwise */
    bypassReason: 'phishtank_match' | 'user_rule' | 'knn_memory' | 'parse_error' | null
    /** Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient. Spam has one too: that of the mail it looks like, which says nothing for it. File by it only if `isSpam` is false */
    classification: 'primary' | 'promotions' | 'updates' | 'transactions'
    /** True when human review is recommended */
    shouldEscalate: boolean
    /** What the message is, and why, in one sentence; absent without spam detection, and where recipients differ */
    sentence?: string
    /** At most five, the strongest first */
    reasons: {
      /** Name of a signal, or of another reason (`TAMIS_…`) */
      name: string
      /** Log-odds; negative values are evidence against spam */
      points: number
      /** Absent for a reason from another version */
      description?: string
      /** The correction of the recipient that decided, which `DELETE /feedback/{feedbackId}` withdraws; absent for other reasons */
      correction?: {
        /** Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
        feedbackId: string
        /** `spam` or `ham` */
        label: string
        /** Domain of the sender, if the message was authenticated */
        authenticatedDomain?: string
        /** Domain in From of a message that was not authenticated, which anyone can write; absent if From does not have exactly one address, or an earlier release made the correction */
        claimedDomain?: string
        createdAt: string
      }
    }[]
    /** From the body received to the verdict */
    elapsedMs: number
    /** Who asked for the verdict; absent in entries of an earlier release */
    askedBy?: 'milter' | 'spamd' | 'rspamd' | 'http'
    /** The mail server’s name for the message, if the asker gave it */
    queueId?: string
    /** The asker’s name for the message, if it gave one */
    reference?: string
    /** What became of the message: as the milter or a program has told, or as an Rspamd client was told to do; absent if nobody has said */
    action?: 'accepted' | 'tagged' | 'deferred' | 'quarantined' | 'rejected'
  }[]
  /** If there may be more entries */
  cursor?: string
}

export type RecordedActions = {
  /** Entries that have it now; one for each recipient of a message */
  recorded: number
}

export type ActionsBody = {
  /** What became of at most 100 messages */
  actions: ToldAction[]
}

export type ToldAction = {
  /** `X-Reference` of the request */
  reference: string
  /** `accepted`: passed on as it is; `tagged`: passed on, marked as spam; `deferred`: to come again later; `quarantined`: kept until a person looks; `rejected`: refused */
  action: 'accepted' | 'tagged' | 'deferred' | 'quarantined' | 'rejected'
}

/** No verdict: see docs/errors.md */
export type ErrorResult = {
  /** What went wrong, for people; may change */
  error: string
  /** What went wrong, for programs: see docs/errors.md */
  code: string
  /** Waiting requests, with QUEUE_TIMEOUT and QUEUE_FULL */
  queueDepth?: number
  /** The header, with HEADER_INVALID */
  header?: string
  /** The field, with FIELD_INVALID */
  field?: string
  /** The line of the text in that field, from 1 */
  line?: number
  /** The column of that line, from 1 */
  column?: number
  /** Seconds to wait, with RATE_LIMITED */
  retryAfterS?: number
  /** The path to use instead, with PATH_FORMS_DISABLED */
  streamForm?: string
}

export interface DirectedDelivery extends Delivery {
  /** Who asks, for the history: `http`, the default, is a program of your own; empty means none */
  readonly askedBy?: 'http' | 'milter' | 'spamd' | undefined
  /** The mail server’s name for the message, 1 to 64 printable ASCII characters, for the history; empty means none */
  readonly queueId?: string | undefined
  /** A name for the message, 4 to 64 letters, digits, `-`, `_` and `.`, by which `GET /history` and `POST /history/actions` find its entries; make one for each message; empty means none */
  readonly reference?: string | undefined
  /** `outgoing`: the user in `X-User-ID` sends the message. It is judged without the rules of that user, which are about mail that comes in, and unless it is spam or automatic, Tamis learns whom the user writes to, for which a key needs the scope `feedback` too; empty means `incoming` */
  readonly direction?: 'incoming' | 'outgoing' | undefined
}

/** Several recipients of one message */
export interface RecipientsDelivery extends Omit<Delivery, 'userId'> {
  /** Who asks, for the history: `http`, the default, is a program of your own; empty means none */
  readonly askedBy?: 'http' | 'milter' | 'spamd' | undefined
  /** The mail server’s name for the message, 1 to 64 printable ASCII characters, for the history; empty means none */
  readonly queueId?: string | undefined
  /** A name for the message, 4 to 64 letters, digits, `-`, `_` and `.`, by which `GET /history` and `POST /history/actions` find its entries; make one for each message; empty means none */
  readonly reference?: string | undefined
  /** `true` adds `summary` to the answer, for a log line or a header field; empty means none */
  readonly summary?: boolean | undefined
  /** JSON array of at most 100 recipients, each of 1 to 256 visible characters */
  readonly userIds: readonly string[]
}

/** A message that is to be judged with reasons */
export interface ReasonsDelivery extends Delivery {
  /** Who asks, for the history: `http`, the default, is a program of your own; empty means none */
  readonly askedBy?: 'http' | 'milter' | 'spamd' | undefined
  /** The mail server’s name for the message, 1 to 64 printable ASCII characters, for the history; empty means none */
  readonly queueId?: string | undefined
  /** A name for the message, 4 to 64 letters, digits, `-`, `_` and `.`, by which `GET /history` and `POST /history/actions` find its entries; make one for each message; empty means none */
  readonly reference?: string | undefined
  /** `true` adds `summary` to the answer, for a log line or a header field; empty means none */
  readonly summary?: boolean | undefined
}

/** What is known of a message beside its bytes */
export interface Delivery {
  /** IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none */
  readonly senderIp?: string | undefined
  /** Envelope sender, with or without angle brackets; empty and `<>` are the null sender */
  readonly senderEmail?: string | undefined
  /** Recipient, 1 to 256 visible characters, UTF-8; empty means none */
  readonly userId?: string | undefined
  /** A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none */
  readonly arrivalFallback?: 'now' | 'date' | undefined
}

export interface SpamFeedback extends Omit<Delivery, 'userId'> {
  /** The user who makes the correction */
  readonly userId: string
  readonly isSpam: boolean
  /** `true`: make no Sender rule from this correction; empty means none */
  readonly skipRuleCreation?: boolean | undefined
}

export interface TabsFeedback extends Omit<Delivery, 'userId'> {
  /** The user who makes the correction */
  readonly userId: string
  /** The right class; `automatic` returns to the model. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient */
  readonly classification: 'primary' | 'promotions' | 'updates' | 'transactions' | 'automatic'
}

export interface UserDelivery extends Omit<Delivery, 'userId'> {
  /** The user who withdraws it */
  readonly userId: string
}

export interface SpamRuleWish extends Omit<Delivery, 'userId'> {
  /** The owner of the rule */
  readonly userId: string
  /** What the rule matches */
  readonly ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
  /** What the rule does */
  readonly label: 'ham' | 'spam'
}

export interface ClassRuleWish extends Omit<Delivery, 'userId'> {
  /** The owner of the rule */
  readonly userId: string
  /** What the rule matches */
  readonly ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
  /** What the rule does */
  readonly classification: 'primary' | 'promotions' | 'updates' | 'transactions'
}
