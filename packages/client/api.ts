export interface paths {
  '/classify-stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Full classification: spam verdict and message class
     * @description Use this operation for mail flow. Send the raw message; the headers are optional and improve the verdict. If the answer is not 200, deliver the message without classification.
     */
    post: operations['classifyStream']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/classify-stream/recipients': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Full classification of one message for each of several recipients
     * @description For mail servers that have one message for all recipients of a transaction. The message is analysed once and decided for each of up to 100 users. This is an extension of the interface.
     */
    post: operations['classifyStreamRecipients']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/classify-stream/reasons': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Full classification, with a score and the reasons that add up to it
     * @description For clients that expect a score, a required score and named tests, as other filters have them. The points of the reasons add up to the score; the example is shortened. This is an extension of the interface.
     */
    post: operations['classifyStreamReasons']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/tabs/classify-stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Message class only
     * @description The class and the probability of each class, for callers that filter spam elsewhere.
     */
    post: operations['tabsClassifyStream']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/classify/diagnostic-stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Detailed breakdown of a decision, for troubleshooting, not for mail flow
     * @description Everything that led to a verdict: signals with their evidence, inputs and outputs of each model, contributions that add up, links, time by stage. The fields inside the groups may vary between versions.
     */
    post: operations['diagnosticStream']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/classify/embed-text': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Embedding of a text, or of several
     * @description The numbers of texts that mean the same, in one language or two, point in nearly the same direction. Only vectors of one model can be compared: `X-Tamis-Embedding-Model` in the answer names it (`TAMIS_EMBEDDING`). Requests do not wait in the queue behind messages. With `texts` instead of `text` the answer has `embeddings`, up to 256 at once; each text counts as a request for the rate limit of the key.
     */
    post: operations['embedText']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/feedback-stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * A user corrects a verdict: spam or not
     * @description The user’s own mail follows it at once: the memory has this message and recognizes similar ones, and the sender gets a rule unless `X-Skip-Rule-Creation` is `true`. Within limits, the models that all users share learn from it too.
     */
    post: operations['feedbackStream']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/tabs/feedback-stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * A user corrects a class
     * @description `automatic` withdraws the correction of this message and the class rule made from it.
     */
    post: operations['tabsFeedbackStream']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/feedback/withdraw-stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * A user withdraws a correction of this message, spam or not
     * @description For callers that have the message but not the `feedbackId`. If the user has not corrected the message, nothing changes. This is an extension of the interface.
     */
    post: operations['withdrawFeedbackStream']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/feedback/{feedbackId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Withdraws one correction from rules, memory and global model
     * @description The result is as if the correction had never been made.
     */
    delete: operations['removeFeedback']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/rules/create-stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * A rule about spam, with its pattern taken from the message
     * @description The pattern comes from the message: its sender, list or thread, or a fingerprint of similar messages (`Template`). If the message is authenticated, so is the rule: an allow then decides about messages authenticated for the same domain. Without that proof, feeds and models that are sure of spam override it (docs/senders.md).
     */
    post: operations['createRuleStream']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/rules': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * All rules of a user about spam
     * @description All rules of a user about spam, newest first, including those that corrections made.
     */
    get: operations['rules']
    put?: never
    /**
     * A rule about spam by its pattern
     * @description Creates a rule from a pattern, without a message. A `Sender` rule takes an address, a domain for all addresses at and below it, `*@example.com` for those at that host only, or `*.example.com` for those below it only.
     */
    post: operations['createRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/rules/remove': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Removes a rule about spam
     * @description Removes explicit and automatic rules with this type and pattern, as the list shows them.
     */
    delete: operations['removeRule']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/tabs/rules/create-stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * A rule about classes, with its pattern taken from the message
     * @description The pattern comes from the message: its sender, list or thread, or a fingerprint of similar messages (`Template`). If the message is authenticated, so is the rule: an allow then decides about messages authenticated for the same domain. Without that proof, feeds and models that are sure of spam override it (docs/senders.md).
     */
    post: operations['createTabsRuleStream']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/tabs/rules': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * All rules of a user about classes
     * @description All rules of a user about classes, newest first, including those that corrections made.
     */
    get: operations['tabsRules']
    put?: never
    /**
     * A rule about classes by its pattern
     * @description Creates a rule from a pattern, without a message. A `Sender` rule takes an address, a domain for all addresses at and below it, `*@example.com` for those at that host only, or `*.example.com` for those below it only.
     */
    post: operations['createTabsRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/tabs/rules/remove': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Removes a rule about classes
     * @description Removes explicit and automatic rules with this type and pattern, as the list shows them.
     */
    delete: operations['removeTabsRule']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/users': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The users with stored data, with search
     * @description Users of the tenant with rules, corrections or correspondents. A user whose corrections are all withdrawn stays in the list until these expire.
     */
    get: operations['users']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/corrections': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The corrections of a user, newest first: time, label and sender's domain
     * @description Each correction in force, with the domain of the sender: authenticated, or as the message claims it. A Sender rule made from a correction has the id of the correction. The answer has no message text.
     */
    get: operations['corrections']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/memory': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The corrections of a user: times, labels and senders' domains
     * @description Each correction in the memory: time, label, domain of the sender and id; the first words of the subject only where `TAMIS_MEMORY_SUBJECTS` is `on`. A Sender rule made from a correction has the id of the correction. The answer has no other text of a message.
     */
    get: operations['memory']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/tabs/data': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Deletes a user's data about classes
     * @description Deletes rules, memory and corrections about classes. Those about spam stay.
     */
    delete: operations['deleteTabsData']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/data': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Forgets a user: rules, memory, correspondents, and corrections about spam and classes
     * @description Deletes all data of the user at once. The job then rebuilds the shared models as if the user had never existed. It is safe to repeat the request.
     */
    delete: operations['deleteData']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/correspondents': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The correspondents of a user: kinds, times and keyed hashes, no address
     * @description All that is stored of the correspondents of a user, in pages.
     */
    get: operations['correspondents']
    put?: never
    /**
     * Tells with whom a user writes: an address book, or whom a message was sent to
     * @description Mail from these addresses, and replies to these messages, is less likely to be called spam for this user (docs/correspondents.md). Only keyed hashes are kept; a user has at most 5,000 correspondents of each kind, and the oldest leave. The address of the user is left out, if it is the id. This is an extension of the interface.
     */
    post: operations['addCorrespondents']
    /**
     * Removes correspondents of a user: all, or those with some addresses
     * @description Rules, memory and corrections stay; `DELETE /personalization/data` removes correspondents with everything else. It is safe to repeat the request.
     */
    delete: operations['removeCorrespondents']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/jobs/{jobId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * State of a background job
     * @description State of the rebuild after a deletion.
     */
    get: operations['job']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/site-rules': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The site rules
     * @description The rules that the tenant has made, newest first; or, with `source=files`, those in the operator’s files that name the tenant or apply to all mail, in their order. A file rule for the recipients of a domain in any tenant is shown only to keys with the scope `operator`.
     */
    get: operations['siteRules']
    put?: never
    /**
     * Allows or blocks for all users of the tenant, or for the recipients of a domain
     * @description The rule applies at once in this process, and within a second or two in others. Users’ own rules take precedence over it, and it takes precedence over the operator’s files (docs/site-rules.md). If the rule already exists, the answer is that rule.
     */
    post: operations['createSiteRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/site-rules/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Removes a site rule
     * @description Removes a rule that the tenant has made, by its id.
     */
    delete: operations['removeSiteRule']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/weighted-rules': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The weighted rules
     * @description The rules that the tenant has made, newest first; or, with `source=files`, those in the operator’s files that name the tenant or apply to all mail, in their order.
     */
    get: operations['weightedRules']
    put?: never
    /**
     * Adds to the log-odds of spam, or takes away, for what a message contains
     * @description The rule applies at once in this process, and within a second or two in others. A tenant can have 200 of them. One of the same name in the operator’s files does not apply to the tenant any more. `tamis weighted-rules try` shows beforehand what a rule would change (docs/weighted-rules.md). If the rule already exists, the answer is that rule; another of its name is refused.
     */
    post: operations['createWeightedRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/weighted-rules/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Removes a weighted rule
     * @description Removes a rule that the tenant has made, by its id.
     */
    delete: operations['removeWeightedRule']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/recipient-settings': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Settings of users and of the recipients of domains
     * @description The settings that the tenant has made: domains first, then users, each by name. The operator’s configuration (`TAMIS_RECIPIENT_THRESHOLDS`, `TAMIS_LEARNING_OFF_FOR`) is not included.
     */
    get: operations['recipientSettings']
    put?: never
    post?: never
    /**
     * Removes the settings of a user, or of the recipients of a domain
     * @description From then on, the defaults apply to them. Forgetting a user also removes the user's settings.
     */
    delete: operations['removeRecipient']
    options?: never
    head?: never
    /**
     * Sets threshold, learning or limits for a user, or for the recipients of a domain
     * @description An absent field does not change; null removes the setting. A user’s setting takes precedence over the domain’s, and both over the operator’s configuration. The change applies at once in this process, and within a second or two in others.
     */
    patch: operations['setRecipient']
    trace?: never
  }
  '/models': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The shipped models, and the versions learned from corrections
     * @description The shipped models and the versions learned from corrections, newest first.
     */
    get: operations['models']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/models/cards': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Each model in use: what it is, how it was made, and its known weaknesses
     * @description The card and the manifest of each model in use: its purpose, its training data and its known failures.
     */
    get: operations['modelCards']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/models/promote': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Puts into use what has been learned so far, even after a rollback
     * @description Takes effect at once, without waiting for the checks of the service.
     */
    post: operations['promoteModels']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/models/rollback': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Returns to the previous version; null means only the shipped models
     * @description The version in use now is rejected.
     */
    post: operations['rollbackModels']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/settings': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The settings in use, where they come from, and the keys by name
     * @description Settings about verdicts, senders, feeds, learning and the history, to look at: none can be changed here. The answer has no secret, no path, and the name of no user or domain.
     */
    get: operations['settings']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/health': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Whether the process is running
     * @description For a supervisor that restarts a process that does not answer. Needs no key.
     */
    get: operations['health']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/ready': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Whether the service accepts messages
     * @description For a load balancer. It needs no key; a key with the scope `admin` gets more details. 503 while the service starts or ends, and once its SQLite file is found to be malformed: then messages are judged, but without the data that cannot be read, until a backup is restored.
     */
    get: operations['ready']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/stats': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Counts of corrections, rules and correspondents, and the models in use
     * @description Counts of the tenant, the models in use, the queue, the feeds.
     */
    get: operations['stats']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/stats/recent': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The last half hour: messages, verdicts, latency, queue, feeds
     * @description The mail of the tenant in steps of five seconds, for live display. Use `/metrics` to keep the figures.
     */
    get: operations['recentStats']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/stats/recent/messages': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * The last half hour: latest verdicts, strongest reasons, top senders
     * @description The mail of the tenant by message, reason and domain, for live display: at most the last 500 messages of each process. The answer has no user, no address and no message text, and is kept only in memory.
     */
    get: operations['recentMessages']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/history': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Searches the history of judged messages: why a message got its verdict
     * @description Metadata and reasons of the tenant’s messages, without subject and text, for `TAMIS_HISTORY_DAYS`. There is one entry for each recipient; the diagnostic and requests for only the class make none. An entry appears about a second after the verdict.
     */
    get: operations['history']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/history/actions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Tells the history what became of messages
     * @description For mail servers and programs: what they did with messages that they had judged under an `X-Reference`. Entries are written about a second after the verdict, so tell two seconds later. What was told of a message first stays.
     */
    post: operations['recordActions']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/metrics': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Metrics for Prometheus: all for the operator, those of the tenant for others
     * @description In the text format of Prometheus.
     */
    get: operations['metrics']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/openapi.json': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * This document
     * @description For client generators. `/docs` shows it as a page.
     */
    get: operations['openApi']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/classify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Full classification: spam verdict and message class (path form; announced, not available by default)
     * @description As `/classify-stream`, of a file on the disk of the service. Turned off by default.
     */
    post: operations['classifyPath']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/tabs/classify': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Message class only (path form; announced, not available by default)
     * @description As `/tabs/classify-stream`, of a file on the disk of the service. Turned off by default. The address is `senderIp` here.
     */
    post: operations['tabsClassifyPath']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/classify/diagnostic': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Detailed breakdown of a decision, for troubleshooting, not for mail flow (path form; announced, not available by default)
     * @description As `/classify/diagnostic-stream`, of a file on the disk of the service. Turned off by default.
     */
    post: operations['diagnosticPath']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/feedback': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * A user corrects a verdict: spam or not (path form; not available by default)
     * @description As `/feedback-stream`, of a file on the disk of the service. Turned off by default.
     */
    post: operations['feedbackPath']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/tabs/feedback': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * A user corrects a class (path form; not available by default)
     * @description As `/tabs/feedback-stream`, of a file on the disk of the service. Turned off by default.
     */
    post: operations['tabsFeedbackPath']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/rules/create': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * A rule about spam (path form; not available by default)
     * @description As `/personalization/rules/create-stream`, of a file on the disk of the service. Turned off by default.
     */
    post: operations['createRulePath']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/personalization/tabs/rules/create': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * A rule about classes (path form; not available by default)
     * @description As `/personalization/tabs/rules/create-stream`, of a file on the disk of the service. Turned off by default.
     */
    post: operations['createTabsRulePath']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /**
     * FullResult
     * @description Spam verdict and class
     */
    FullResult: {
      /** @description Whether the message is considered spam */
      isSpam: boolean
      /**
       * @description 0 = not spam, 1 = definitely spam
       * @example 0.031
       */
      spamProbability: number
      /**
       * @description Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient. Spam has one too: that of the mail it looks like, which says nothing for it. File by it only if `isSpam` is false
       * @example transactions
       * @enum {string}
       */
      classification: 'primary' | 'promotions' | 'updates' | 'transactions'
      /**
       * @description Score of the text analysis model
       * @example 0.045
       */
      textSpamScore: number
      /**
       * @description Score of the header and metadata model
       * @example 0.028
       */
      metaSpamScore: number
      /**
       * @description Distance from the decision boundary
       * @example 0.87
       */
      confidenceMargin: number
      /**
       * @description Uncertainty in bits; lower = more certain
       * @example 0.2
       */
      entropy: number
      /**
       * @description Degree to which the two models disagree
       * @example 0.017
       */
      disagreement: number
      /** @description True when human review is recommended */
      shouldEscalate: boolean
      /**
       * @description Set when a rule overrode the model, null otherwise
       * @example null
       * @enum {string|null}
       */
      bypassReason: 'phishtank_match' | 'user_rule' | 'knn_memory' | 'parse_error' | null
      /** @description Whether the sender passed SPF, DKIM and DMARC authentication */
      senderAuthenticated: boolean
    }
    /**
     * Error
     * @description No verdict: see docs/errors.md
     */
    Error: {
      /** @description What went wrong, for people; may change */
      error: string
      /**
       * @description What went wrong, for programs: see docs/errors.md
       * @enum {string}
       */
      code:
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
        | 'RULE_CONTRADICTS'
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
      /** @description Waiting requests, with QUEUE_TIMEOUT and QUEUE_FULL */
      queueDepth?: number
      /** @description The header, with HEADER_INVALID */
      header?: string
      /** @description The field, with FIELD_INVALID */
      field?: string
      /** @description Seconds to wait, with RATE_LIMITED */
      retryAfterS?: number
      /** @description The path to use instead, with PATH_FORMS_DISABLED */
      streamForm?: string
    }
    /**
     * MessageSummary
     * @description Identity of the message, and the strongest reasons in it; with `X-Summary`
     */
    MessageSummary: {
      /** @description Message-ID without its brackets, at most 200 printable ASCII characters */
      messageId: string
      /** @description Domain of the address in From, or empty */
      senderDomain: string
      /** @description What the message is, and why, in one sentence; absent without spam detection, and where recipients differ */
      sentence?: string
      /** @description For log lines, if the answer is in another language */
      sentenceInEnglish?: string
      /** @description At most five, the strongest first */
      reasons: {
        /** @description Name of a signal, or of another reason (`TAMIS_…`) */
        name: string
        /** @description Log-odds; negative values are evidence against spam */
        points: number
        description: string
      }[]
    }
    /**
     * RecipientsResult
     * @description `shared`: the verdict for a user without corrections; `recipients`: for each user
     */
    RecipientsResult: {
      shared: components['schemas']['FullResult']
      /** @description The verdict for each of `X-User-IDs`, in their order */
      recipients: {
        /** @description As in `X-User-IDs` */
        userId: string
        /** @description Whether the message is considered spam */
        isSpam: boolean
        /**
         * @description 0 = not spam, 1 = definitely spam
         * @example 0.031
         */
        spamProbability: number
        /**
         * @description Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient. Spam has one too: that of the mail it looks like, which says nothing for it. File by it only if `isSpam` is false
         * @example transactions
         * @enum {string}
         */
        classification: 'primary' | 'promotions' | 'updates' | 'transactions'
        /**
         * @description Score of the text analysis model
         * @example 0.045
         */
        textSpamScore: number
        /**
         * @description Score of the header and metadata model
         * @example 0.028
         */
        metaSpamScore: number
        /**
         * @description Distance from the decision boundary
         * @example 0.87
         */
        confidenceMargin: number
        /**
         * @description Uncertainty in bits; lower = more certain
         * @example 0.2
         */
        entropy: number
        /**
         * @description Degree to which the two models disagree
         * @example 0.017
         */
        disagreement: number
        /** @description True when human review is recommended */
        shouldEscalate: boolean
        /**
         * @description Set when a rule overrode the model, null otherwise
         * @example null
         * @enum {string|null}
         */
        bypassReason: 'phishtank_match' | 'user_rule' | 'knn_memory' | 'parse_error' | null
        /** @description Whether the sender passed SPF, DKIM and DMARC authentication */
        senderAuthenticated: boolean
        /** @description Spam probability from which spam for this user is to be refused, or `never`; absent if the tenant has not set it */
        rejectAt?: number | string
        /** @description Spam probability from which spam for this user is to be held, or `never`; absent if the tenant has not set it */
        quarantineAt?: number | string
      }[]
      /** @description `X-Reference`, if the history keeps the message under it */
      reference?: string
      summary?: components['schemas']['MessageSummary']
    }
    /**
     * ReasonsResult
     * @description Spam verdict and class, with a score and its reasons
     */
    ReasonsResult: {
      /** @description Whether the message is considered spam */
      isSpam: boolean
      /**
       * @description 0 = not spam, 1 = definitely spam
       * @example 0.031
       */
      spamProbability: number
      /**
       * @description Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient. Spam has one too: that of the mail it looks like, which says nothing for it. File by it only if `isSpam` is false
       * @example transactions
       * @enum {string}
       */
      classification: 'primary' | 'promotions' | 'updates' | 'transactions'
      /**
       * @description Score of the text analysis model
       * @example 0.045
       */
      textSpamScore: number
      /**
       * @description Score of the header and metadata model
       * @example 0.028
       */
      metaSpamScore: number
      /**
       * @description Distance from the decision boundary
       * @example 0.87
       */
      confidenceMargin: number
      /**
       * @description Uncertainty in bits; lower = more certain
       * @example 0.2
       */
      entropy: number
      /**
       * @description Degree to which the two models disagree
       * @example 0.017
       */
      disagreement: number
      /** @description True when human review is recommended */
      shouldEscalate: boolean
      /**
       * @description Set when a rule overrode the model, null otherwise
       * @example null
       * @enum {string|null}
       */
      bypassReason: 'phishtank_match' | 'user_rule' | 'knn_memory' | 'parse_error' | null
      /** @description Whether the sender passed SPF, DKIM and DMARC authentication */
      senderAuthenticated: boolean
      /**
       * @description Log-odds of spamProbability, shifted so that the threshold is at `requiredScore`, in tenths, from -15 to 25
       * @example -3.1
       */
      score: number
      /**
       * @description Score from which a message is spam
       * @example 5
       */
      requiredScore: number
      /** @description What the message is, and why, in one sentence; absent without spam detection, and where recipients differ */
      sentence?: string
      /** @description The strongest first */
      reasons: {
        /** @description Name of a signal, or of another reason (`TAMIS_…`) */
        name: string
        /** @description They add up to `score` */
        points: number
        description?: string
        /** @description May contain words of the message */
        evidence?: string
      }[]
      /** @description `X-Reference`, if the history keeps the message under it */
      reference?: string
      summary?: components['schemas']['MessageSummary']
    }
    /**
     * TabsResult
     * @description The class
     */
    TabsResult: {
      /**
       * @description Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient
       * @example transactions
       * @enum {string}
       */
      classification: 'primary' | 'promotions' | 'updates' | 'transactions'
      /**
       * @description Confidence in the assigned class
       * @example 0.94
       */
      confidence: number
      /** @description Probability of each class; they sum to 1 */
      classificationProbabilities: {
        /** @example 0.01 */
        primary: number
        /** @example 0.02 */
        promotions: number
        /** @example 0.03 */
        updates: number
        /** @example 0.94 */
        transactions: number
      }
      /**
       * @description Set when personalization was applied, null otherwise
       * @example null
       * @enum {string|null}
       */
      personalizationSource: 'tabs_rule' | 'tabs_knn' | null
      /**
       * @description From the body received to the answer, in milliseconds, rounded up
       * @example 2
       */
      elapsedMs: number
    }
    /**
     * DiagnosticResult
     * @description Everything that led to the verdict
     */
    DiagnosticResult: {
      /** @description What was read of the message */
      email: {
        [key: string]: unknown
      }
      result: components['schemas']['FullResult']
      /** @description Inputs and outputs of each model, raw also when overridden */
      models: {
        [key: string]: unknown
      }
      /** @description Links of the message, and the feed entry that one of them matched */
      urlScanner: {
        [key: string]: unknown
      }
      tabs: {
        /**
         * @description Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient
         * @example transactions
         * @enum {string}
         */
        classification: 'primary' | 'promotions' | 'updates' | 'transactions'
        /**
         * @description Confidence in the assigned class
         * @example 0.94
         */
        confidence: number
        /** @description Probability of each class; they sum to 1 */
        classificationProbabilities: {
          /** @example 0.01 */
          primary: number
          /** @example 0.02 */
          promotions: number
          /** @example 0.03 */
          updates: number
          /** @example 0.94 */
          transactions: number
        }
        /**
         * @description Set when personalization was applied, null otherwise
         * @example null
         * @enum {string|null}
         */
        personalizationSource: 'tabs_rule' | 'tabs_knn' | null
      }
      /** @description Rule and memory of the user that applied */
      personalization: {
        [key: string]: unknown
      }
      explanation: {
        [key: string]: unknown
      } | null
      /** @description Milliseconds per stage */
      timing: {
        [key: string]: number
      }
    }
    /** EmbedTextBody */
    EmbedTextBody: {
      /**
       * @description Text of any length; only its beginning counts
       * @example Your parcel arrives tomorrow
       */
      text?: string
      /** @description Instead of `text`: several at once */
      texts?: string[]
    }
    /** EmbedTextResult */
    EmbedTextResult: {
      /** @description 384 numbers, 1 long (L2); all 0 for a text without a visible character, and with the table for one without a word */
      embedding?: number[]
      /** @description With `texts`: one for each, in order */
      embeddings?: number[][]
    }
    /** SpamFeedbackResult */
    SpamFeedbackResult: {
      /**
       * @description `success`: recorded, and counted for the model that all users share; `personalization_only`: recorded for this user only, and the global model deliberately did not learn from it; `already_recorded`: nothing has changed
       * @enum {string}
       */
      status: 'success' | 'personalization_only' | 'already_recorded'
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /** @description Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
      feedbackId: string
    }
    /** TabsFeedbackResult */
    TabsFeedbackResult: {
      /**
       * @description `success`: recorded; `reset`: the correction of the message was withdrawn; `already_recorded`: nothing has changed
       * @enum {string}
       */
      status: 'success' | 'reset' | 'already_recorded'
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /**
       * @description The right class; `automatic` returns to the model. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient
       * @enum {string}
       */
      classification: 'primary' | 'promotions' | 'updates' | 'transactions' | 'automatic'
      /** @description Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
      feedbackId: string
    }
    /** WithdrawnFeedback */
    WithdrawnFeedback: {
      /**
       * @description `none`: the user had not corrected this message
       * @enum {string}
       */
      status: 'removed' | 'none'
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
    }
    /** RemovedFeedback */
    RemovedFeedback: {
      /** @enum {string} */
      status: 'removed'
      /** @description Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
      feedbackId: string
    }
    /** SpamRule */
    SpamRule: {
      id: string
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /**
       * @description What the rule matches
       * @enum {string}
       */
      ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
      /**
       * @description What the rule does
       * @enum {string}
       */
      label: 'ham' | 'spam'
      /**
       * @description A Sender rule has an address, a domain or a wildcard (`*@example.com`, `*.example.com`); a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule the pattern of a rule made from a message
       * @example ann@example.com
       */
      pattern: string
      /**
       * @description `correction`: made automatically from a correction
       * @enum {string}
       */
      source: 'explicit' | 'correction'
      /** @description True when it was not made from an authenticated message */
      unverified: boolean
      /** Format: date-time */
      createdAt: string
    }
    /** SpamRuleBody */
    SpamRuleBody: {
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /**
       * @description What the rule matches
       * @enum {string}
       */
      ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
      /**
       * @description What the rule does
       * @enum {string}
       */
      label: 'ham' | 'spam'
      /**
       * @description A Sender rule has an address, a domain or a wildcard (`*@example.com`, `*.example.com`); a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule the pattern of a rule made from a message
       * @example ann@example.com
       */
      pattern: string
    }
    /** SpamRules */
    SpamRules: {
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      rules: components['schemas']['SpamRule'][]
    }
    /** RemoveRuleBody */
    RemoveRuleBody: {
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /**
       * @description What the rule matches
       * @enum {string}
       */
      ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
      /**
       * @description A Sender rule has an address, a domain or a wildcard (`*@example.com`, `*.example.com`); a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule the pattern of a rule made from a message
       * @example ann@example.com
       */
      pattern: string
    }
    /** RemovedRules */
    RemovedRules: {
      /** @enum {string} */
      status: 'removed'
      removed: number
    }
    /** ClassRule */
    ClassRule: {
      id: string
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /**
       * @description What the rule matches
       * @enum {string}
       */
      ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
      /**
       * @description What the rule does
       * @enum {string}
       */
      classification: 'primary' | 'promotions' | 'updates' | 'transactions'
      /**
       * @description A Sender rule has an address, a domain or a wildcard (`*@example.com`, `*.example.com`); a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule the pattern of a rule made from a message
       * @example ann@example.com
       */
      pattern: string
      /**
       * @description `correction`: made automatically from a correction
       * @enum {string}
       */
      source: 'explicit' | 'correction'
      /** @description True when it was not made from an authenticated message */
      unverified: boolean
      /** Format: date-time */
      createdAt: string
    }
    /** ClassRuleBody */
    ClassRuleBody: {
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /**
       * @description What the rule matches
       * @enum {string}
       */
      ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
      /**
       * @description What the rule does
       * @enum {string}
       */
      classification: 'primary' | 'promotions' | 'updates' | 'transactions'
      /**
       * @description A Sender rule has an address, a domain or a wildcard (`*@example.com`, `*.example.com`); a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule the pattern of a rule made from a message
       * @example ann@example.com
       */
      pattern: string
    }
    /** ClassRules */
    ClassRules: {
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      rules: components['schemas']['ClassRule'][]
    }
    /**
     * UsersResult
     * @description Users with stored data
     */
    UsersResult: {
      /** @description In the order of their ids, by code points */
      users: {
        /**
         * @description The user: 1 to 256 visible characters
         * @example user-4711
         */
        userId: string
        /** @description Explicit rules */
        rules: number
        /** @description Corrections in force; at most 2,000 of each kind, the size of the memory. 0 if all were withdrawn: they stay in the log */
        corrections: number
        /**
         * Format: date-time
         * @description Absent if none is in force
         */
        lastCorrection?: string
        /** @description Correspondents of all kinds */
        correspondents: number
      }[]
      /** @description If there are more */
      cursor?: string
    }
    /**
     * CorrectionsResult
     * @description Corrections of a user in force
     */
    CorrectionsResult: {
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /** @description Newest first */
      corrections: {
        /** @description Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
        feedbackId: string
        /** @enum {string} */
        kind: 'spam' | 'tabs'
        /** @description `spam` or `ham`, or a class */
        label: string
        /** @description Domain of the sender, if the message was authenticated */
        authenticatedDomain?: string
        /** @description Domain in From of a message that was not authenticated, which anyone can write; absent if From does not have exactly one address, or an earlier release made the correction */
        claimedDomain?: string
        /** @description First words of the subject, at most 8 words and 60 characters; only of corrections made while `TAMIS_MEMORY_SUBJECTS` is `on` */
        subjectWords?: string
        /** Format: date-time */
        createdAt: string
      }[]
      /** @description If there are more */
      cursor?: string
    }
    /** MemoryResult */
    MemoryResult: {
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      items: {
        /** @description Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
        feedbackId: string
        /** @enum {string} */
        kind: 'spam' | 'tabs'
        /** @description `spam` or `ham`, or a class */
        label: string
        /** @description The model that made the vector */
        embeddingModel: string
        /** @description Equal for corrections of one message; nothing can be read from it */
        similarityKey: string
        /** @description Domain of the sender, if the message was authenticated */
        authenticatedDomain?: string
        /** @description Domain in From of a message that was not authenticated, which anyone can write; absent if From does not have exactly one address, or an earlier release made the correction */
        claimedDomain?: string
        /** @description First words of the subject, at most 8 words and 60 characters; only of corrections made while `TAMIS_MEMORY_SUBJECTS` is `on` */
        subjectWords?: string
        /** Format: date-time */
        createdAt: string
      }[]
    }
    /** UserBody */
    UserBody: {
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
    }
    /** DeletedData */
    DeletedData: {
      /** @enum {string} */
      status: 'deleted'
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /** Format: date-time */
      deletedAt: string
      deleted: {
        /** @description Explicit rules */
        rules: number
        /** @description Corrections in the memory */
        memory: number
        /** @description Corrections in the log */
        feedback: number
        /** @description Entries in the history; absent if there were none */
        history?: number
        /** @description Correspondents; absent if there were none */
        correspondents?: number
      }
      /** @description Rebuilds the models without the user: `GET /jobs/{id}` */
      jobId: string
    }
    /** CorrespondentsBody */
    CorrespondentsBody: {
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /**
       * @description Email addresses that the user writes to, without names; case does not matter
       * @example [
       *       "ann@example.com"
       *     ]
       */
      addresses: string[]
      /**
       * @description Message-IDs of messages that the user has sent
       * @example [
       *       "<1@example.org>"
       *     ]
       */
      messageIds?: string[]
    }
    /** RecordedCorrespondents */
    RecordedCorrespondents: {
      /** @enum {string} */
      status: 'recorded'
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /** @description Those of them that are new */
      added: number
    }
    /** CorrespondentsResult */
    CorrespondentsResult: {
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /** @description In the order of kinds and keys */
      correspondents: {
        /**
         * @description `written`: an address that the user has written to; `sent`: the Message-ID of a message that the user has sent; `received`: a sender whose mail the user has long received; `heard`: one whose mail is being counted, and says nothing yet
         * @enum {string}
         */
        kind: 'written' | 'sent' | 'received' | 'heard'
        /** @description Equal for the same address or Message-ID of this user; nothing can be read from it */
        key: string
        /** @description How often it was learned; of received mail, on how many days */
        times: number
        /** Format: date-time */
        firstAt: string
        /** Format: date-time */
        lastAt: string
      }[]
      /** @description The `cursor` of the next page; null on the last one */
      next: string | null
    }
    /** RemoveCorrespondentsBody */
    RemoveCorrespondentsBody: {
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /**
       * @description Only these; all correspondents if absent
       * @example [
       *       "ann@example.com"
       *     ]
       */
      addresses?: string[]
    }
    /** RemovedCorrespondents */
    RemovedCorrespondents: {
      /** @enum {string} */
      status: 'removed'
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /** @description How many there were */
      removed: number
    }
    /** JobResult */
    JobResult: {
      jobId: string
      /** @description `rebuild`: the models, without a user who left */
      kind: string
      /** @enum {string} */
      state: 'queued' | 'running' | 'done' | 'failed'
      /** Format: date-time */
      createdAt: string
      /** Format: date-time */
      finishedAt?: string
    }
    /** SiteRule */
    SiteRule: {
      /** @description Id of the rule, also shown where it decided; for a file rule, file name and line */
      id: string
      /**
       * @description `spam` blocks, `ham` allows
       * @enum {string}
       */
      label: 'ham' | 'spam'
      /**
       * @description What the rule matches
       * @enum {string}
       */
      ruleType: 'Sender' | 'List' | 'Host' | 'Network' | 'Attachment'
      /**
       * @description A Sender rule has an address, a domain, `*@domain` or `*.domain`; a List rule a List-Id or the address of a list; a Host rule the name of a host, a domain or `*.domain`; a Network rule an IP address or a network (`192.0.2.0/24`); an Attachment rule, which can only block, `exe`, `script`, `iso`, `lnk`, `macro` or `encrypted`
       * @example *.top
       */
      pattern: string
      /**
       * @description Only for recipients whose user ids are addresses at this domain; if absent, for all
       * @example example.org
       */
      recipientDomain?: string
      /**
       * @description `files`: of the operator (TAMIS_SITE_RULES); the API cannot change it
       * @enum {string}
       */
      source: 'api' | 'files'
      /** @description Time of creation; null for a file rule */
      createdAt: string | null
    }
    /** SiteRules */
    SiteRules: {
      rules: components['schemas']['SiteRule'][]
      /** @description The `cursor` of the next page; null on the last one */
      next: string | null
    }
    /** SiteRuleBody */
    SiteRuleBody: {
      /**
       * @description `spam` blocks, `ham` allows
       * @enum {string}
       */
      label: 'ham' | 'spam'
      /**
       * @description What the rule matches
       * @enum {string}
       */
      ruleType: 'Sender' | 'List' | 'Host' | 'Network' | 'Attachment'
      /**
       * @description A Sender rule has an address, a domain, `*@domain` or `*.domain`; a List rule a List-Id or the address of a list; a Host rule the name of a host, a domain or `*.domain`; a Network rule an IP address or a network (`192.0.2.0/24`); an Attachment rule, which can only block, `exe`, `script`, `iso`, `lnk`, `macro` or `encrypted`
       * @example *.top
       */
      pattern: string
      /**
       * @description Only for recipients whose user ids are addresses at this domain; if absent, for all
       * @example example.org
       */
      recipientDomain?: string
    }
    /** RemovedSiteRule */
    RemovedSiteRule: {
      /** @enum {string} */
      status: 'removed'
      id: string
    }
    /** WeightedCondition */
    WeightedCondition: {
      /**
       * @description What of the message it is about
       * @enum {string}
       */
      part: 'subject' | 'text' | 'link' | 'header' | 'attachment'
      /**
       * @description The name of a header field; for `header` alone
       * @example X-Mailer
       */
      field?: string
      /**
       * @description Words that stand there, whole and in this order, in whatever case
       * @example fax received
       */
      contains?: string
      /**
       * @description A regular expression in the syntax of RE2 that matches somewhere in it
       * @example fax (no|number) [0-9]+
       */
      matches?: string
      /**
       * @description The kind of an attachment; for `attachment` alone
       * @enum {string}
       */
      kind?: 'exe' | 'script' | 'iso' | 'lnk' | 'macro' | 'encrypted'
    }
    /** WeightedRule */
    WeightedRule: {
      /** @description Id of the rule; for a file rule, file name and line */
      id: string
      /**
       * @description Capital letters, digits and _, at most 40 characters; among the reasons it is `TAMIS_RULE_` and this name
       * @example ACME_FAX_SPAM
       */
      name: string
      /**
       * @description What it adds to the log-odds of spam if it holds, below 0 against spam; not 0
       * @example 2.5
       */
      weight: number
      /** @description The rule holds if all of them do */
      conditions: components['schemas']['WeightedCondition'][]
      /**
       * @description `files`: of the operator (TAMIS_WEIGHTED_RULES); the API cannot change it
       * @enum {string}
       */
      source: 'api' | 'files'
      /** @description Time of creation; null for a file rule */
      createdAt: string | null
    }
    /** WeightedRules */
    WeightedRules: {
      rules: components['schemas']['WeightedRule'][]
      /** @description The `cursor` of the next page; null on the last one */
      next: string | null
    }
    /** WeightedRuleBody */
    WeightedRuleBody: {
      /**
       * @description Capital letters, digits and _, at most 40 characters; among the reasons it is `TAMIS_RULE_` and this name
       * @example ACME_FAX_SPAM
       */
      name: string
      /**
       * @description What it adds to the log-odds of spam if it holds, below 0 against spam; not 0
       * @example 2.5
       */
      weight: number
      /** @description The rule holds if all of them do */
      conditions: components['schemas']['WeightedCondition'][]
    }
    /** RemovedWeightedRule */
    RemovedWeightedRule: {
      /** @enum {string} */
      status: 'removed'
      id: string
    }
    /** RecipientSetting */
    RecipientSetting: {
      /**
       * @description `user`: a user id; `domain`: all user ids that are addresses at this domain
       * @enum {string}
       */
      kind: 'user' | 'domain'
      /**
       * @description The user id, or the domain
       * @example example.org
       */
      name: string
      /**
       * @description `cautious`, `balanced`, `strict`, or the probability above which a message is spam, above 0 and below 1; null: not set
       * @example strict
       */
      threshold: string | number | null
      /**
       * @description `off`: corrections change only the user’s own rules and memory; `on`: Tamis learns from them for all users, as far as `TAMIS_LEARNING` allows; null: not set
       * @example off
       * @enum {string|null}
       */
      learning: 'on' | 'off' | null
      /**
       * @description The milter refuses spam for this recipient from this probability on, above 0 and at most 1; `never`: not at all; null: not set, and the option of the milter holds
       * @example 0.999
       */
      rejectAt: number | string | null
      /**
       * @description The milter holds spam for this recipient from this probability on, above 0 and at most 1; `never`: not at all; null: not set, and the option of the milter holds
       * @example 0.999
       */
      quarantineAt: number | string | null
      /** @description Time of the last change; null if nothing is set */
      updatedAt: string | null
    }
    /** RecipientSettings */
    RecipientSettings: {
      recipients: components['schemas']['RecipientSetting'][]
      /** @description The `cursor` of the next page; null on the last one */
      next: string | null
    }
    /** RecipientSettingBody */
    RecipientSettingBody: {
      /**
       * @description `user`: a user id; `domain`: all user ids that are addresses at this domain
       * @enum {string}
       */
      kind: 'user' | 'domain'
      /**
       * @description The user id, or the domain
       * @example example.org
       */
      name: string
      /**
       * @description `cautious`, `balanced`, `strict`, or the probability above which a message is spam, above 0 and below 1; null: not set
       * @example strict
       */
      threshold?: string | number | null
      /**
       * @description `off`: corrections change only the user’s own rules and memory; `on`: Tamis learns from them for all users, as far as `TAMIS_LEARNING` allows; null: not set
       * @example off
       * @enum {string|null}
       */
      learning?: 'on' | 'off' | null
      /**
       * @description The milter refuses spam for this recipient from this probability on, above 0 and at most 1; `never`: not at all; null: not set, and the option of the milter holds
       * @example 0.999
       */
      rejectAt?: number | string | null
      /**
       * @description The milter holds spam for this recipient from this probability on, above 0 and at most 1; `never`: not at all; null: not set, and the option of the milter holds
       * @example 0.999
       */
      quarantineAt?: number | string | null
    }
    /** RecipientBody */
    RecipientBody: {
      /**
       * @description `user`: a user id; `domain`: all user ids that are addresses at this domain
       * @enum {string}
       */
      kind: 'user' | 'domain'
      /**
       * @description The user id, or the domain
       * @example example.org
       */
      name: string
    }
    /** RemovedRecipient */
    RemovedRecipient: {
      /** @enum {string} */
      status: 'removed'
      /**
       * @description `user`: a user id; `domain`: all user ids that are addresses at this domain
       * @enum {string}
       */
      kind: 'user' | 'domain'
      /**
       * @description The user id, or the domain
       * @example example.org
       */
      name: string
    }
    /** ModelsResult */
    ModelsResult: {
      /** @description Version of the shipped models */
      base: string
      /** @description Counts over the current log of corrections, learned from in order */
      learning: {
        /**
         * @description TAMIS_LEARNING: what changes the shared model
         * @enum {string}
         */
        mode: 'users' | 'operator' | 'off'
        /** @description How often what was learned was put into use */
        promoted: number
        /** @description How often it was refused, because it made verdicts on the canary set (docs/corrections.md) worse */
        refused: number
      }
      /** @description Newest first */
      versions: {
        version: number
        /** @enum {string} */
        state: 'candidate' | 'promoted' | 'rejected' | 'retired'
        base: string
        /** Format: date-time */
        createdAt: string
        metrics: {
          [key: string]: unknown
        }
      }[]
    }
    /** ModelCards */
    ModelCards: {
      models: {
        name: string
        version: string
        /** @description Its purpose and its known failures, in Markdown */
        card: string | null
        /** @description How it was made */
        manifest: {
          [key: string]: unknown
        }
      }[]
    }
    /** ModelVersion */
    ModelVersion: {
      /** @description In use from now on */
      version: number | null
    }
    /** SettingsResult */
    SettingsResult: {
      /** @description By group */
      settings: {
        /**
         * @description What it is about
         * @enum {string}
         */
        group:
          | 'thresholds'
          | 'senders'
          | 'feeds'
          | 'lists'
          | 'scanner'
          | 'learning'
          | 'reading'
          | 'history'
        /** @description Name in the settings file */
        key: string
        /** @description Name in the environment */
        environment: string
        /** @description In words; empty for none. Secrets, paths, users and domains are left out */
        value: string
        /**
         * @description Where the value comes from
         * @enum {string}
         */
        source: 'default' | 'environment' | 'file'
      }[]
      /** @description Keys of the tenant, by name; their values are not stored */
      keys: {
        name: string
        scopes: ('classify' | 'feedback' | 'admin' | 'operator')[]
        entitlements: ('spam' | 'classification')[]
        requestsPerMinuteMax?: number
        /** Format: date-time */
        createdAt: string
      }[]
    }
    /**
     * Health
     * @description The process is running
     */
    Health: {
      /** @enum {string} */
      status: 'ok'
    }
    /**
     * Ready
     * @description The service accepts messages
     */
    Ready: {
      /** @enum {string} */
      status: 'ready'
      setAside?: {
        /** @description Corrections that no model learns from */
        features: number
        /** @description Memories that are compared only by their words */
        embeddings: number
      } | null
      feeds?: {
        feed: string
        entries: number
        /** @description Seconds since its source last delivered it or reported no change */
        ageSeconds: number | null
        /** @description Why the last attempt to get it failed: see docs/feeds.md */
        lastFailure: string | null
      }[]
      /** @description Absent without DNS lists */
      lists?: {
        list: string
        /** @description The list failed, and Tamis does not query it for some minutes */
        resting: boolean
        /** @description Why the last message was judged without its answer: see docs/lists.md */
        lastFailure: string | null
      }[]
      /** @description The virus scanner; absent without one */
      scanner?: {
        /** @description The scanner did not answer, and Tamis does not ask it for some seconds */
        resting: boolean
        /** @description Why the last message was judged without its answer: see docs/scanner.md */
        lastFailure: string | null
      }
      /** @description The second reading of messages near the threshold */
      reader?: {
        /**
         * @description TAMIS_READER: which messages are read a second time
         * @enum {string}
         */
        mode: 'doubtful' | 'always' | 'off'
        /** @description Whether all server processes can read messages */
        available: boolean
        /** @description Why not, although they should: a code (docs/errors.md) */
        failure: string | null
      }
      /** @description How senders are checked */
      senders?: {
        /** @description Whether all server processes check senders by DNS; with TAMIS_AUTH_DNS=auto false if no server answered at the start */
        dns: boolean
      }
    }
    /** Stats */
    Stats: {
      /** @description Users who have corrected anything */
      users: number
      /** @description User rules about spam and about classes, made by hand or by a correction; site rules are not counted */
      rules: number
      corrections: {
        /** @description Null if the licence does not include spam detection */
        spam: number | null
        tabs: number
      }
      correspondents: {
        /** @description Addresses that users have written to */
        written: number
        /** @description Messages that users have sent, by their Message-IDs */
        sent: number
        /** @description Senders whose mail users have long received */
        received: number
        /** @description Senders that are being counted, and say nothing yet */
        heard: number
      }
      /** @description Corrections made with another version of Tamis or another embedding model; for callers with the scope admin, null while the store is not available */
      setAside: {
        /** @description Corrections that no model learns from */
        features: number
        /** @description Memories that are compared only by their words */
        embeddings: number
      }
      /** @description Version of the shipped models */
      models: string
      embeddingModel: string
      /** @description Requests waiting to be judged */
      queueDepth: number
      feeds: {
        feed: string
        entries: number
        /** @description Seconds since its source last delivered it or reported no change */
        ageSeconds: number | null
        /** @description Why the last attempt to get it failed: see docs/feeds.md */
        lastFailure: string | null
      }[]
    }
    /** RecentWork */
    RecentWork: {
      /** @description Length of a step */
      stepSeconds: number
      /** @description Oldest first; there is none for a time without events; the last one is not complete */
      steps: {
        /**
         * Format: date-time
         * @description When it began
         */
        at: string
        /** @description Judged messages */
        messages: number
        /** @description Requests to judge a message that ended in 5xx or 429 */
        refused: number
        spam: number
        ham: number
        /** @description Verdicts with a bypassReason */
        overridden: number
        /** @description Verdicts that a person should review */
        escalated: number
        classes: {
          primary: number
          promotions: number
          updates: number
          transactions: number
        }
        /** @description Milliseconds from the header of a request to the end of its answer, to a tenth */
        latencyMs: {
          p50: number
          p95: number
          p99: number
        } | null
        /** @description Maximum number of waiting requests observed, summed over the processes of the service */
        queueDepth: number
        /** @description Age of each URL feed in seconds */
        feeds: {
          [key: string]: number | null
        }
      }[]
    }
    /** RecentMessages */
    RecentMessages: {
      /**
       * Format: date-time
       * @description Start of the counts: half an hour ago, or later if the service started later or keeps fewer messages
       */
      since: string
      /** @description At most the last twelve, the newest first */
      messages: {
        /**
         * Format: date-time
         * @description When it was answered
         */
        at: string
        /** @description Message-ID without its brackets, at most 200 printable ASCII characters */
        messageId?: string
        /** @description `mixed`: spam for some of the recipients; null if only the class was requested */
        verdict: ('spam' | 'ham' | 'mixed') | null
        /** @description The lowest among all recipients */
        spamProbability: number | null
        /** @enum {string} */
        classification: 'primary' | 'promotions' | 'updates' | 'transactions'
        /**
         * @description Set when a rule overrode the model, null otherwise
         * @example null
         * @enum {string|null}
         */
        bypassReason: 'phishtank_match' | 'user_rule' | 'knn_memory' | 'parse_error' | null
        /** @description True when human review is recommended */
        shouldEscalate: boolean
        /** @description Domain of the address in From, or empty */
        senderDomain: string
        /** @description What the message is, and why, in one sentence; absent without spam detection, and where recipients differ */
        sentence?: string
        /** @description At most five, the strongest first */
        reasons: {
          /** @description Name of a signal, or of another reason (`TAMIS_…`) */
          name: string
          /** @description Log-odds; negative values are evidence against spam */
          points: number
          description: string
        }[]
        /** @description Milliseconds from the header of the request to the end of its answer */
        ms: number
      }[]
      /** @description The five strongest of each message count. At most ten, the one with the most effect first */
      reasons: {
        /** @description Name of a signal, or of another reason (`TAMIS_…`) */
        name: string
        description: string
        /** @description Messages that it moved towards spam */
        forSpam: number
        /** @description Messages that it moved away from spam */
        againstSpam: number
        /** @description Log-odds by which it moved one of them, on average */
        points: number
      }[]
      /** @description At most ten, the one with the most messages first */
      senders: {
        /** @description Domain of the address in From, or empty */
        domain: string
        messages: number
        /** @description Messages that were spam, for at least one recipient */
        spam: number
        /** @description Messages that were not spam */
        ham: number
      }[]
    }
    /**
     * HistoryResult
     * @description Judged messages, one entry per recipient
     */
    HistoryResult: {
      /** @description Days for which entries are kept */
      days: number
      /** @description Newest first */
      entries: {
        /** @description Id of the entry within the tenant */
        id: string
        /** Format: date-time */
        judgedAt: string
        /** @description Without its brackets, at most 200 printable ASCII characters */
        messageId?: string
        /** @description Address in From, if it has exactly one; the sender’s claim */
        sender?: string
        /** @description Domain of the first address in From */
        senderDomain?: string
        /** @description If the caller gave it; empty for the null sender */
        envelopeSender?: string
        /** @description The recipient, or the user who sent an outgoing message; absent for a verdict without a user */
        userId?: string
        /** @description Whether the message is considered spam */
        isSpam: boolean
        /**
         * @description 0 = not spam, 1 = definitely spam
         * @example 0.031
         */
        spamProbability: number
        /** @description The recipient’s threshold: above it the message is spam, unless `bypassReason` decided */
        threshold: number
        /**
         * @description Set when a rule overrode the model, null otherwise
         * @example null
         * @enum {string|null}
         */
        bypassReason: 'phishtank_match' | 'user_rule' | 'knn_memory' | 'parse_error' | null
        /**
         * @description Message class. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient. Spam has one too: that of the mail it looks like, which says nothing for it. File by it only if `isSpam` is false
         * @example transactions
         * @enum {string}
         */
        classification: 'primary' | 'promotions' | 'updates' | 'transactions'
        /** @description True when human review is recommended */
        shouldEscalate: boolean
        /** @description What the message is, and why, in one sentence; absent without spam detection, and where recipients differ */
        sentence?: string
        /** @description At most five, the strongest first */
        reasons: {
          /** @description Name of a signal, or of another reason (`TAMIS_…`) */
          name: string
          /** @description Log-odds; negative values are evidence against spam */
          points: number
          /** @description Absent for a reason from another version */
          description?: string
          /** @description The correction of the recipient that decided, which `DELETE /feedback/{feedbackId}` withdraws; absent for other reasons */
          correction?: {
            /** @description Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}` */
            feedbackId: string
            /** @description `spam` or `ham` */
            label: string
            /** @description Domain of the sender, if the message was authenticated */
            authenticatedDomain?: string
            /** @description Domain in From of a message that was not authenticated, which anyone can write; absent if From does not have exactly one address, or an earlier release made the correction */
            claimedDomain?: string
            /** Format: date-time */
            createdAt: string
          }
        }[]
        /** @description From the body received to the verdict */
        elapsedMs: number
        /**
         * @description Who asked for the verdict; absent in entries of an earlier release
         * @enum {string}
         */
        askedBy?: 'milter' | 'spamd' | 'rspamd' | 'http'
        /** @description The mail server’s name for the message, if the asker gave it */
        queueId?: string
        /** @description The asker’s name for the message, if it gave one */
        reference?: string
        /**
         * @description What became of the message: as the milter or a program has told, or as an Rspamd client was told to do; absent if nobody has said
         * @enum {string}
         */
        action?: 'accepted' | 'tagged' | 'deferred' | 'quarantined' | 'rejected'
      }[]
      /** @description If there may be more entries */
      cursor?: string
    }
    /** ToldAction */
    ToldAction: {
      /** @description `X-Reference` of the request */
      reference: string
      /**
       * @description `accepted`: passed on as it is; `tagged`: passed on, marked as spam; `deferred`: to come again later; `quarantined`: kept until a person looks; `rejected`: refused
       * @enum {string}
       */
      action: 'accepted' | 'tagged' | 'deferred' | 'quarantined' | 'rejected'
    }
    /** ActionsBody */
    ActionsBody: {
      /** @description What became of at most 100 messages */
      actions: components['schemas']['ToldAction'][]
    }
    /** RecordedActions */
    RecordedActions: {
      /** @description Entries that have it now; one for each recipient of a message */
      recorded: number
    }
    /** ClassifyPathBody */
    ClassifyPathBody: {
      /**
       * @description Absolute path of the .eml file
       * @example /var/mail/incoming/1.eml
       */
      path: string
      /** @description Address of the sending client */
      ipAddress?: string
      /** @description Envelope sender */
      senderEmail?: string
      /** @description Recipient; empty means none */
      userId?: string
    }
    /** TabsPathBody */
    TabsPathBody: {
      /**
       * @description Absolute path of the .eml file
       * @example /var/mail/incoming/1.eml
       */
      path: string
      /** @description Address of the sending client */
      senderIp?: string
      /** @description Envelope sender */
      senderEmail?: string
      /** @description Recipient; empty means none */
      userId?: string
    }
    /** FeedbackPathBody */
    FeedbackPathBody: {
      /**
       * @description Absolute path of the .eml file
       * @example /var/mail/incoming/1.eml
       */
      path: string
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /** @description true: spam; false: not spam */
      isSpam: boolean
      /** @description Address of the sending client */
      ipAddress?: string
      /** @description Envelope sender */
      senderEmail?: string
    }
    /** TabsFeedbackPathBody */
    TabsFeedbackPathBody: {
      /**
       * @description Absolute path of the .eml file
       * @example /var/mail/incoming/1.eml
       */
      path: string
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /**
       * @description The right class; `automatic` returns to the model. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient
       * @enum {string}
       */
      correctClassification: 'primary' | 'promotions' | 'updates' | 'transactions' | 'automatic'
    }
    /** SpamRulePathBody */
    SpamRulePathBody: {
      /**
       * @description Absolute path of the .eml file
       * @example /var/mail/incoming/1.eml
       */
      path: string
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /**
       * @description What the rule matches
       * @enum {string}
       */
      ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
      /**
       * @description What the rule does
       * @enum {string}
       */
      label: 'ham' | 'spam'
    }
    /** ClassRulePathBody */
    ClassRulePathBody: {
      /**
       * @description Absolute path of the .eml file
       * @example /var/mail/incoming/1.eml
       */
      path: string
      /**
       * @description The user: 1 to 256 visible characters
       * @example user-4711
       */
      userId: string
      /**
       * @description What the rule matches
       * @enum {string}
       */
      ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
      /**
       * @description What the rule does
       * @enum {string}
       */
      classification: 'primary' | 'promotions' | 'updates' | 'transactions'
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type FullResult = components['schemas']['FullResult']
export type Error = components['schemas']['Error']
export type MessageSummary = components['schemas']['MessageSummary']
export type RecipientsResult = components['schemas']['RecipientsResult']
export type ReasonsResult = components['schemas']['ReasonsResult']
export type TabsResult = components['schemas']['TabsResult']
export type DiagnosticResult = components['schemas']['DiagnosticResult']
export type EmbedTextBody = components['schemas']['EmbedTextBody']
export type EmbedTextResult = components['schemas']['EmbedTextResult']
export type SpamFeedbackResult = components['schemas']['SpamFeedbackResult']
export type TabsFeedbackResult = components['schemas']['TabsFeedbackResult']
export type WithdrawnFeedback = components['schemas']['WithdrawnFeedback']
export type RemovedFeedback = components['schemas']['RemovedFeedback']
export type SpamRule = components['schemas']['SpamRule']
export type SpamRuleBody = components['schemas']['SpamRuleBody']
export type SpamRules = components['schemas']['SpamRules']
export type RemoveRuleBody = components['schemas']['RemoveRuleBody']
export type RemovedRules = components['schemas']['RemovedRules']
export type ClassRule = components['schemas']['ClassRule']
export type ClassRuleBody = components['schemas']['ClassRuleBody']
export type ClassRules = components['schemas']['ClassRules']
export type UsersResult = components['schemas']['UsersResult']
export type CorrectionsResult = components['schemas']['CorrectionsResult']
export type MemoryResult = components['schemas']['MemoryResult']
export type UserBody = components['schemas']['UserBody']
export type DeletedData = components['schemas']['DeletedData']
export type CorrespondentsBody = components['schemas']['CorrespondentsBody']
export type RecordedCorrespondents = components['schemas']['RecordedCorrespondents']
export type CorrespondentsResult = components['schemas']['CorrespondentsResult']
export type RemoveCorrespondentsBody = components['schemas']['RemoveCorrespondentsBody']
export type RemovedCorrespondents = components['schemas']['RemovedCorrespondents']
export type JobResult = components['schemas']['JobResult']
export type SiteRule = components['schemas']['SiteRule']
export type SiteRules = components['schemas']['SiteRules']
export type SiteRuleBody = components['schemas']['SiteRuleBody']
export type RemovedSiteRule = components['schemas']['RemovedSiteRule']
export type WeightedCondition = components['schemas']['WeightedCondition']
export type WeightedRule = components['schemas']['WeightedRule']
export type WeightedRules = components['schemas']['WeightedRules']
export type WeightedRuleBody = components['schemas']['WeightedRuleBody']
export type RemovedWeightedRule = components['schemas']['RemovedWeightedRule']
export type RecipientSetting = components['schemas']['RecipientSetting']
export type RecipientSettings = components['schemas']['RecipientSettings']
export type RecipientSettingBody = components['schemas']['RecipientSettingBody']
export type RecipientBody = components['schemas']['RecipientBody']
export type RemovedRecipient = components['schemas']['RemovedRecipient']
export type ModelsResult = components['schemas']['ModelsResult']
export type ModelCards = components['schemas']['ModelCards']
export type ModelVersion = components['schemas']['ModelVersion']
export type SettingsResult = components['schemas']['SettingsResult']
export type Health = components['schemas']['Health']
export type Ready = components['schemas']['Ready']
export type Stats = components['schemas']['Stats']
export type RecentWork = components['schemas']['RecentWork']
export type RecentMessages = components['schemas']['RecentMessages']
export type HistoryResult = components['schemas']['HistoryResult']
export type ToldAction = components['schemas']['ToldAction']
export type ActionsBody = components['schemas']['ActionsBody']
export type RecordedActions = components['schemas']['RecordedActions']
export type ClassifyPathBody = components['schemas']['ClassifyPathBody']
export type TabsPathBody = components['schemas']['TabsPathBody']
export type FeedbackPathBody = components['schemas']['FeedbackPathBody']
export type TabsFeedbackPathBody = components['schemas']['TabsFeedbackPathBody']
export type SpamRulePathBody = components['schemas']['SpamRulePathBody']
export type ClassRulePathBody = components['schemas']['ClassRulePathBody']
export type $defs = Record<string, never>
export interface operations {
  classifyStream: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none
         * @example 192.0.2.25
         */
        'X-Sender-IP'?: string
        /**
         * @description Envelope sender, with or without angle brackets; empty and `<>` are the null sender
         * @example orders@example.net
         */
        'X-Sender-Email'?: string
        /**
         * @description Recipient, 1 to 256 visible characters, UTF-8; empty means none
         * @example user-4711
         */
        'X-User-ID'?: string
        /** @description A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none */
        'X-Arrival-Fallback'?: 'now' | 'date'
        /** @description Who asks, for the history: `http`, the default, is a program of your own; empty means none */
        'X-Asked-By'?: 'http' | 'milter' | 'spamd'
        /** @description The mail server’s name for the message, 1 to 64 printable ASCII characters, for the history; empty means none */
        'X-Queue-ID'?: string
        /** @description A name for the message, 4 to 64 letters, digits, `-`, `_` and `.`, by which `GET /history` and `POST /history/actions` find its entries; make one for each message; empty means none */
        'X-Reference'?: string
        /** @description `outgoing`: the user in `X-User-ID` sends the message. It is judged without the rules of that user, which are about mail that comes in, and unless it is spam or automatic, Tamis learns whom the user writes to, for which a key needs the scope `feedback` too; empty means `incoming` */
        'X-Direction'?: 'incoming' | 'outgoing'
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example Received: from out12.example.net (out12.example.net [192.0.2.25])
         *     	by mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000
         *     From: Harbour Street Books <orders@example.net>
         *     To: sam@example.com
         *     Subject: Your order 1048-77215 is confirmed
         *     Date: Fri, 7 Nov 2025 18:03:28 +0000
         *     Message-ID: <order-1048-77215@example.net>
         *     Content-Type: text/plain; charset=utf-8
         *
         *     Thank you for your order, Sam.
         *
         *     1 x The Salt Path, paperback    10.99
         *     Delivery                         2.95
         *     Total                           13.94
         *
         *     We will write again when the parcel leaves our warehouse:
         *     https://www.example.net/orders/1048-77215
         */
        'message/rfc822': string
      }
    }
    responses: {
      /** @description The verdict */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "isSpam": false,
           *       "spamProbability": 0.1068,
           *       "classification": "transactions",
           *       "textSpamScore": 0.349,
           *       "metaSpamScore": 0.1695,
           *       "confidenceMargin": 0.8395,
           *       "entropy": 0.4903,
           *       "disagreement": 0.1794,
           *       "shouldEscalate": false,
           *       "bypassReason": null,
           *       "senderAuthenticated": false
           *     }
           */
          'application/json': components['schemas']['FullResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, HEADER_INVALID, NOT_A_MESSAGE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  classifyStreamRecipients: {
    parameters: {
      query?: never
      header: {
        /**
         * @description IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none
         * @example 192.0.2.25
         */
        'X-Sender-IP'?: string
        /**
         * @description Envelope sender, with or without angle brackets; empty and `<>` are the null sender
         * @example orders@example.net
         */
        'X-Sender-Email'?: string
        /** @description A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none */
        'X-Arrival-Fallback'?: 'now' | 'date'
        /** @description Who asks, for the history: `http`, the default, is a program of your own; empty means none */
        'X-Asked-By'?: 'http' | 'milter' | 'spamd'
        /** @description The mail server’s name for the message, 1 to 64 printable ASCII characters, for the history; empty means none */
        'X-Queue-ID'?: string
        /** @description A name for the message, 4 to 64 letters, digits, `-`, `_` and `.`, by which `GET /history` and `POST /history/actions` find its entries; make one for each message; empty means none */
        'X-Reference'?: string
        /** @description `true` adds `summary` to the answer, for a log line or a header field; empty means none */
        'X-Summary'?: 'true' | 'false'
        /**
         * @description JSON array of at most 100 recipients, each of 1 to 256 visible characters
         * @example ["user-4711", "user-4712"]
         */
        'X-User-IDs': string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example Received: from out12.example.net (out12.example.net [192.0.2.25])
         *     	by mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000
         *     From: Harbour Street Books <orders@example.net>
         *     To: sam@example.com
         *     Subject: Your order 1048-77215 is confirmed
         *     Date: Fri, 7 Nov 2025 18:03:28 +0000
         *     Message-ID: <order-1048-77215@example.net>
         *     Content-Type: text/plain; charset=utf-8
         *
         *     Thank you for your order, Sam.
         *
         *     1 x The Salt Path, paperback    10.99
         *     Delivery                         2.95
         *     Total                           13.94
         *
         *     We will write again when the parcel leaves our warehouse:
         *     https://www.example.net/orders/1048-77215
         */
        'message/rfc822': string
      }
    }
    responses: {
      /** @description The verdicts */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "shared": {
           *         "isSpam": false,
           *         "spamProbability": 0.1068,
           *         "classification": "transactions",
           *         "textSpamScore": 0.349,
           *         "metaSpamScore": 0.1695,
           *         "confidenceMargin": 0.8395,
           *         "entropy": 0.4903,
           *         "disagreement": 0.1794,
           *         "shouldEscalate": false,
           *         "bypassReason": null,
           *         "senderAuthenticated": false
           *       },
           *       "recipients": [
           *         {
           *           "userId": "user-4711",
           *           "isSpam": false,
           *           "spamProbability": 0.1068,
           *           "classification": "transactions",
           *           "textSpamScore": 0.349,
           *           "metaSpamScore": 0.1695,
           *           "confidenceMargin": 0.8395,
           *           "entropy": 0.4903,
           *           "disagreement": 0.1794,
           *           "shouldEscalate": false,
           *           "bypassReason": null,
           *           "senderAuthenticated": false
           *         },
           *         {
           *           "userId": "user-4712",
           *           "isSpam": true,
           *           "spamProbability": 1,
           *           "classification": "transactions",
           *           "textSpamScore": 0.349,
           *           "metaSpamScore": 0.1695,
           *           "confidenceMargin": 0.0537,
           *           "entropy": 0,
           *           "disagreement": 0.1794,
           *           "shouldEscalate": false,
           *           "bypassReason": "user_rule",
           *           "senderAuthenticated": false
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['RecipientsResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, HEADER_INVALID, NOT_A_MESSAGE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  classifyStreamReasons: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none
         * @example 192.0.2.25
         */
        'X-Sender-IP'?: string
        /**
         * @description Envelope sender, with or without angle brackets; empty and `<>` are the null sender
         * @example orders@example.net
         */
        'X-Sender-Email'?: string
        /**
         * @description Recipient, 1 to 256 visible characters, UTF-8; empty means none
         * @example user-4711
         */
        'X-User-ID'?: string
        /** @description A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none */
        'X-Arrival-Fallback'?: 'now' | 'date'
        /** @description Who asks, for the history: `http`, the default, is a program of your own; empty means none */
        'X-Asked-By'?: 'http' | 'milter' | 'spamd'
        /** @description The mail server’s name for the message, 1 to 64 printable ASCII characters, for the history; empty means none */
        'X-Queue-ID'?: string
        /** @description A name for the message, 4 to 64 letters, digits, `-`, `_` and `.`, by which `GET /history` and `POST /history/actions` find its entries; make one for each message; empty means none */
        'X-Reference'?: string
        /** @description `true` adds `summary` to the answer, for a log line or a header field; empty means none */
        'X-Summary'?: 'true' | 'false'
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example Received: from out12.example.net (out12.example.net [192.0.2.25])
         *     	by mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000
         *     From: Harbour Street Books <orders@example.net>
         *     To: sam@example.com
         *     Subject: Your order 1048-77215 is confirmed
         *     Date: Fri, 7 Nov 2025 18:03:28 +0000
         *     Message-ID: <order-1048-77215@example.net>
         *     Content-Type: text/plain; charset=utf-8
         *
         *     Thank you for your order, Sam.
         *
         *     1 x The Salt Path, paperback    10.99
         *     Delivery                         2.95
         *     Total                           13.94
         *
         *     We will write again when the parcel leaves our warehouse:
         *     https://www.example.net/orders/1048-77215
         */
        'message/rfc822': string
      }
    }
    responses: {
      /** @description The verdict */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "isSpam": false,
           *       "spamProbability": 0.1068,
           *       "classification": "transactions",
           *       "textSpamScore": 0.349,
           *       "metaSpamScore": 0.1695,
           *       "confidenceMargin": 0.8395,
           *       "entropy": 0.4903,
           *       "disagreement": 0.1794,
           *       "shouldEscalate": false,
           *       "bypassReason": null,
           *       "senderAuthenticated": false,
           *       "score": 0,
           *       "requiredScore": 5,
           *       "sentence": "Probably not spam: its wording is typical of wanted mail.",
           *       "reasons": [
           *         {
           *           "name": "TAMIS_BASE",
           *           "points": 2.7407,
           *           "description": "Where every message starts."
           *         },
           *         {
           *           "name": "TAMIS_TEXT",
           *           "points": -1.4219,
           *           "description": "The wording.",
           *           "evidence": "total, salt, path"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ReasonsResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, HEADER_INVALID, NOT_A_MESSAGE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  tabsClassifyStream: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none
         * @example 192.0.2.25
         */
        'X-Sender-IP'?: string
        /**
         * @description Envelope sender, with or without angle brackets; empty and `<>` are the null sender
         * @example orders@example.net
         */
        'X-Sender-Email'?: string
        /**
         * @description Recipient, 1 to 256 visible characters, UTF-8; empty means none
         * @example user-4711
         */
        'X-User-ID'?: string
        /** @description A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none */
        'X-Arrival-Fallback'?: 'now' | 'date'
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example Received: from out12.example.net (out12.example.net [192.0.2.25])
         *     	by mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000
         *     From: Harbour Street Books <orders@example.net>
         *     To: sam@example.com
         *     Subject: Your order 1048-77215 is confirmed
         *     Date: Fri, 7 Nov 2025 18:03:28 +0000
         *     Message-ID: <order-1048-77215@example.net>
         *     Content-Type: text/plain; charset=utf-8
         *
         *     Thank you for your order, Sam.
         *
         *     1 x The Salt Path, paperback    10.99
         *     Delivery                         2.95
         *     Total                           13.94
         *
         *     We will write again when the parcel leaves our warehouse:
         *     https://www.example.net/orders/1048-77215
         */
        'message/rfc822': string
      }
    }
    responses: {
      /** @description The class */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "classification": "transactions",
           *       "confidence": 0.9914,
           *       "classificationProbabilities": {
           *         "primary": 0.0027,
           *         "promotions": 0.0009,
           *         "updates": 0.005,
           *         "transactions": 0.9914
           *       },
           *       "personalizationSource": null,
           *       "elapsedMs": 4
           *     }
           */
          'application/json': components['schemas']['TabsResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, HEADER_INVALID, NOT_A_MESSAGE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  diagnosticStream: {
    parameters: {
      query?: never
      header?: {
        /**
         * @description IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none
         * @example 192.0.2.25
         */
        'X-Sender-IP'?: string
        /**
         * @description Envelope sender, with or without angle brackets; empty and `<>` are the null sender
         * @example orders@example.net
         */
        'X-Sender-Email'?: string
        /**
         * @description Recipient, 1 to 256 visible characters, UTF-8; empty means none
         * @example user-4711
         */
        'X-User-ID'?: string
        /** @description A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none */
        'X-Arrival-Fallback'?: 'now' | 'date'
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example Received: from out12.example.net (out12.example.net [192.0.2.25])
         *     	by mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000
         *     From: Harbour Street Books <orders@example.net>
         *     To: sam@example.com
         *     Subject: Your order 1048-77215 is confirmed
         *     Date: Fri, 7 Nov 2025 18:03:28 +0000
         *     Message-ID: <order-1048-77215@example.net>
         *     Content-Type: text/plain; charset=utf-8
         *
         *     Thank you for your order, Sam.
         *
         *     1 x The Salt Path, paperback    10.99
         *     Delivery                         2.95
         *     Total                           13.94
         *
         *     We will write again when the parcel leaves our warehouse:
         *     https://www.example.net/orders/1048-77215
         */
        'message/rfc822': string
      }
    }
    responses: {
      /** @description The breakdown */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DiagnosticResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, HEADER_INVALID, NOT_A_MESSAGE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  embedText: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "text": "Your parcel arrives tomorrow"
         *     }
         */
        'application/json': components['schemas']['EmbedTextBody']
      }
    }
    responses: {
      /** @description The embedding */
      200: {
        headers: {
          /** @description Name and version of the model that made the embedding */
          'X-Tamis-Embedding-Model'?: string
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "embedding": [
           *         0,
           *         0.0607,
           *         0.0656,
           *         0.0102,
           *         -0.0546,
           *         -0.0692,
           *         -0.0202,
           *         0.0474,
           *         0.0714,
           *         0.0297,
           *         -0.0393,
           *         -0.0722,
           *         -0.0387,
           *         0.0303,
           *         0.0715,
           *         0.0469,
           *         -0.0208,
           *         -0.0694,
           *         -0.0542,
           *         0.0108,
           *         0.0659,
           *         0.0604,
           *         -0.0006,
           *         -0.0611,
           *         -0.0654,
           *         -0.0096,
           *         0.055,
           *         0.069,
           *         0.0196,
           *         -0.0479,
           *         -0.0713,
           *         -0.0292,
           *         0.0398,
           *         0.0722,
           *         0.0382,
           *         -0.0309,
           *         -0.0716,
           *         -0.0464,
           *         0.0214,
           *         0.0696,
           *         0.0538,
           *         -0.0114,
           *         -0.0661,
           *         -0.06,
           *         0.0013,
           *         0.0614,
           *         0.0651,
           *         0.0089,
           *         -0.0554,
           *         -0.0688,
           *         -0.0189,
           *         0.0484,
           *         0.0712,
           *         0.0286,
           *         -0.0403,
           *         -0.0722,
           *         -0.0376,
           *         0.0315,
           *         0.0717,
           *         0.046,
           *         -0.022,
           *         -0.0697,
           *         -0.0533,
           *         0.0121,
           *         0.0664,
           *         0.0597,
           *         -0.0019,
           *         -0.0617,
           *         -0.0648,
           *         -0.0083,
           *         0.0559,
           *         0.0686,
           *         0.0183,
           *         -0.0488,
           *         -0.0711,
           *         -0.028,
           *         0.0409,
           *         0.0721,
           *         0.0371,
           *         -0.0321,
           *         -0.0717,
           *         -0.0455,
           *         0.0226,
           *         0.0699,
           *         0.0529,
           *         -0.0127,
           *         -0.0666,
           *         -0.0593,
           *         0.0026,
           *         0.0621,
           *         0.0645,
           *         0.0076,
           *         -0.0563,
           *         -0.0684,
           *         -0.0177,
           *         0.0493,
           *         0.071,
           *         0.0274,
           *         -0.0414,
           *         -0.0721,
           *         -0.0365,
           *         0.0326,
           *         0.0718,
           *         0.045,
           *         -0.0232,
           *         -0.07,
           *         -0.0525,
           *         0.0133,
           *         0.0669,
           *         0.0589,
           *         -0.0032,
           *         -0.0624,
           *         -0.0642,
           *         -0.007,
           *         0.0567,
           *         0.0682,
           *         0.0171,
           *         -0.0498,
           *         -0.0709,
           *         -0.0268,
           *         0.0419,
           *         0.0721,
           *         0.036,
           *         -0.0332,
           *         -0.0719,
           *         -0.0445,
           *         0.0238,
           *         0.0702,
           *         0.052,
           *         -0.014,
           *         -0.0671,
           *         -0.0586,
           *         0.0038,
           *         0.0627,
           *         0.0639,
           *         0.0064,
           *         -0.057,
           *         -0.068,
           *         -0.0165,
           *         0.0502,
           *         0.0707,
           *         0.0262,
           *         -0.0424,
           *         -0.072,
           *         -0.0354,
           *         0.0338,
           *         0.0719,
           *         0.044,
           *         -0.0244,
           *         -0.0703,
           *         -0.0516,
           *         0.0146,
           *         0.0674,
           *         0.0582,
           *         -0.0045,
           *         -0.063,
           *         -0.0636,
           *         -0.0057,
           *         0.0574,
           *         0.0678,
           *         0.0158,
           *         -0.0507,
           *         -0.0706,
           *         -0.0256,
           *         0.0429,
           *         0.072,
           *         0.0349,
           *         -0.0343,
           *         -0.072,
           *         -0.0434,
           *         0.025,
           *         0.0705,
           *         0.0511,
           *         -0.0152,
           *         -0.0676,
           *         -0.0578,
           *         0.0051,
           *         0.0633,
           *         0.0633,
           *         0.0051,
           *         -0.0578,
           *         -0.0676,
           *         -0.0152,
           *         0.0511,
           *         0.0705,
           *         0.025,
           *         -0.0434,
           *         -0.072,
           *         -0.0343,
           *         0.0349,
           *         0.072,
           *         0.0429,
           *         -0.0256,
           *         -0.0706,
           *         -0.0507,
           *         0.0158,
           *         0.0678,
           *         0.0574,
           *         -0.0057,
           *         -0.0636,
           *         -0.063,
           *         -0.0045,
           *         0.0582,
           *         0.0674,
           *         0.0146,
           *         -0.0516,
           *         -0.0703,
           *         -0.0244,
           *         0.044,
           *         0.0719,
           *         0.0338,
           *         -0.0354,
           *         -0.072,
           *         -0.0424,
           *         0.0262,
           *         0.0707,
           *         0.0502,
           *         -0.0165,
           *         -0.068,
           *         -0.057,
           *         0.0064,
           *         0.0639,
           *         0.0627,
           *         0.0038,
           *         -0.0586,
           *         -0.0671,
           *         -0.014,
           *         0.052,
           *         0.0702,
           *         0.0238,
           *         -0.0445,
           *         -0.0719,
           *         -0.0332,
           *         0.036,
           *         0.0721,
           *         0.0419,
           *         -0.0268,
           *         -0.0709,
           *         -0.0498,
           *         0.0171,
           *         0.0682,
           *         0.0566,
           *         -0.007,
           *         -0.0642,
           *         -0.0624,
           *         -0.0032,
           *         0.0589,
           *         0.0669,
           *         0.0133,
           *         -0.0525,
           *         -0.07,
           *         -0.0232,
           *         0.045,
           *         0.0718,
           *         0.0326,
           *         -0.0365,
           *         -0.0721,
           *         -0.0414,
           *         0.0274,
           *         0.071,
           *         0.0493,
           *         -0.0177,
           *         -0.0684,
           *         -0.0563,
           *         0.0077,
           *         0.0645,
           *         0.0621,
           *         0.0026,
           *         -0.0593,
           *         -0.0666,
           *         -0.0127,
           *         0.0529,
           *         0.0699,
           *         0.0226,
           *         -0.0455,
           *         -0.0717,
           *         -0.032,
           *         0.0371,
           *         0.0721,
           *         0.0409,
           *         -0.028,
           *         -0.0711,
           *         -0.0488,
           *         0.0183,
           *         0.0686,
           *         0.0558,
           *         -0.0083,
           *         -0.0648,
           *         -0.0617,
           *         -0.0019,
           *         0.0597,
           *         0.0664,
           *         0.0121,
           *         -0.0533,
           *         -0.0697,
           *         -0.022,
           *         0.046,
           *         0.0717,
           *         0.0315,
           *         -0.0376,
           *         -0.0722,
           *         -0.0403,
           *         0.0286,
           *         0.0712,
           *         0.0484,
           *         -0.0189,
           *         -0.0688,
           *         -0.0554,
           *         0.0089,
           *         0.0651,
           *         0.0614,
           *         0.0013,
           *         -0.06,
           *         -0.0661,
           *         -0.0114,
           *         0.0538,
           *         0.0696,
           *         0.0214,
           *         -0.0464,
           *         -0.0716,
           *         -0.0309,
           *         0.0382,
           *         0.0722,
           *         0.0398,
           *         -0.0292,
           *         -0.0713,
           *         -0.0479,
           *         0.0196,
           *         0.069,
           *         0.055,
           *         -0.0096,
           *         -0.0654,
           *         -0.0611,
           *         -0.0006,
           *         0.0604,
           *         0.0659,
           *         0.0108,
           *         -0.0542,
           *         -0.0694,
           *         -0.0208,
           *         0.0469,
           *         0.0715,
           *         0.0303,
           *         -0.0387,
           *         -0.0722,
           *         -0.0393,
           *         0.0297,
           *         0.0714,
           *         0.0474,
           *         -0.0202,
           *         -0.0692,
           *         -0.0546,
           *         0.0102,
           *         0.0656,
           *         0.0607,
           *         0,
           *         -0.0607,
           *         -0.0656,
           *         -0.0102,
           *         0.0546,
           *         0.0692,
           *         0.0202,
           *         -0.0474,
           *         -0.0714,
           *         -0.0297,
           *         0.0393,
           *         0.0722,
           *         0.0387,
           *         -0.0303,
           *         -0.0715,
           *         -0.0469,
           *         0.0208,
           *         0.0694,
           *         0.0542,
           *         -0.0108,
           *         -0.0659,
           *         -0.0604,
           *         0.0006,
           *         0.0611,
           *         0.0654,
           *         0.0095,
           *         -0.055,
           *         -0.069,
           *         -0.0195
           *       ]
           *     }
           */
          'application/json': components['schemas']['EmbedTextResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ENCODER_UNAVAILABLE, QUEUE_FULL */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  feedbackStream: {
    parameters: {
      query?: never
      header: {
        /**
         * @description IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none
         * @example 192.0.2.25
         */
        'X-Sender-IP'?: string
        /**
         * @description Envelope sender, with or without angle brackets; empty and `<>` are the null sender
         * @example orders@example.net
         */
        'X-Sender-Email'?: string
        /**
         * @description The user who makes the correction
         * @example user-4711
         */
        'X-User-ID': string
        /** @description A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none */
        'X-Arrival-Fallback'?: 'now' | 'date'
        /** @example false */
        'X-Is-Spam': 'true' | 'false'
        /** @description `true`: make no Sender rule from this correction; empty means none */
        'X-Skip-Rule-Creation'?: 'true' | 'false'
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example Received: from out12.example.net (out12.example.net [192.0.2.25])
         *     	by mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000
         *     From: Harbour Street Books <orders@example.net>
         *     To: sam@example.com
         *     Subject: Your order 1048-77215 is confirmed
         *     Date: Fri, 7 Nov 2025 18:03:28 +0000
         *     Message-ID: <order-1048-77215@example.net>
         *     Content-Type: text/plain; charset=utf-8
         *
         *     Thank you for your order, Sam.
         *
         *     1 x The Salt Path, paperback    10.99
         *     Delivery                         2.95
         *     Total                           13.94
         *
         *     We will write again when the parcel leaves our warehouse:
         *     https://www.example.net/orders/1048-77215
         */
        'message/rfc822': string
      }
    }
    responses: {
      /** @description Recorded */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "userId": "user-4711",
           *       "feedbackId": "2d94fd2c-e957-4b3b-94ff-3982fd104fb2"
           *     }
           */
          'application/json': components['schemas']['SpamFeedbackResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, HEADER_INVALID, NOT_A_MESSAGE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN, STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  tabsFeedbackStream: {
    parameters: {
      query?: never
      header: {
        /**
         * @description IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none
         * @example 192.0.2.25
         */
        'X-Sender-IP'?: string
        /**
         * @description Envelope sender, with or without angle brackets; empty and `<>` are the null sender
         * @example orders@example.net
         */
        'X-Sender-Email'?: string
        /**
         * @description The user who makes the correction
         * @example user-4711
         */
        'X-User-ID': string
        /** @description A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none */
        'X-Arrival-Fallback'?: 'now' | 'date'
        /**
         * @description The right class; `automatic` returns to the model. `primary`: person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people. `promotions`: wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs. `updates`: automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces. `transactions`: about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient
         * @example updates
         */
        'X-Classification': 'primary' | 'promotions' | 'updates' | 'transactions' | 'automatic'
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example Received: from out12.example.net (out12.example.net [192.0.2.25])
         *     	by mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000
         *     From: Harbour Street Books <orders@example.net>
         *     To: sam@example.com
         *     Subject: Your order 1048-77215 is confirmed
         *     Date: Fri, 7 Nov 2025 18:03:28 +0000
         *     Message-ID: <order-1048-77215@example.net>
         *     Content-Type: text/plain; charset=utf-8
         *
         *     Thank you for your order, Sam.
         *
         *     1 x The Salt Path, paperback    10.99
         *     Delivery                         2.95
         *     Total                           13.94
         *
         *     We will write again when the parcel leaves our warehouse:
         *     https://www.example.net/orders/1048-77215
         */
        'message/rfc822': string
      }
    }
    responses: {
      /** @description Recorded */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "userId": "user-4711",
           *       "classification": "updates",
           *       "feedbackId": "69c812ea-9b8a-4c18-9041-8b4cd8b23a6d"
           *     }
           */
          'application/json': components['schemas']['TabsFeedbackResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, HEADER_INVALID, NOT_A_MESSAGE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN, STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  withdrawFeedbackStream: {
    parameters: {
      query?: never
      header: {
        /**
         * @description IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none
         * @example 192.0.2.25
         */
        'X-Sender-IP'?: string
        /**
         * @description Envelope sender, with or without angle brackets; empty and `<>` are the null sender
         * @example orders@example.net
         */
        'X-Sender-Email'?: string
        /**
         * @description The user who withdraws it
         * @example user-4711
         */
        'X-User-ID': string
        /** @description A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none */
        'X-Arrival-Fallback'?: 'now' | 'date'
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example Received: from out12.example.net (out12.example.net [192.0.2.25])
         *     	by mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000
         *     From: Harbour Street Books <orders@example.net>
         *     To: sam@example.com
         *     Subject: Your order 1048-77215 is confirmed
         *     Date: Fri, 7 Nov 2025 18:03:28 +0000
         *     Message-ID: <order-1048-77215@example.net>
         *     Content-Type: text/plain; charset=utf-8
         *
         *     Thank you for your order, Sam.
         *
         *     1 x The Salt Path, paperback    10.99
         *     Delivery                         2.95
         *     Total                           13.94
         *
         *     We will write again when the parcel leaves our warehouse:
         *     https://www.example.net/orders/1048-77215
         */
        'message/rfc822': string
      }
    }
    responses: {
      /** @description Withdrawn */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "removed",
           *       "userId": "user-4711"
           *     }
           */
          'application/json': components['schemas']['WithdrawnFeedback']
        }
      }
      /** @description Error: BODY_TRUNCATED, HEADER_INVALID, NOT_A_MESSAGE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN, STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  removeFeedback: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example 2d94fd2c-e957-4b3b-94ff-3982fd104fb2 */
        feedbackId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Withdrawn */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "removed",
           *       "feedbackId": "2d94fd2c-e957-4b3b-94ff-3982fd104fb2"
           *     }
           */
          'application/json': components['schemas']['RemovedFeedback']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  createRuleStream: {
    parameters: {
      query?: never
      header: {
        /**
         * @description IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none
         * @example 192.0.2.25
         */
        'X-Sender-IP'?: string
        /**
         * @description Envelope sender, with or without angle brackets; empty and `<>` are the null sender
         * @example orders@example.net
         */
        'X-Sender-Email'?: string
        /**
         * @description The owner of the rule
         * @example user-4711
         */
        'X-User-ID': string
        /** @description A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none */
        'X-Arrival-Fallback'?: 'now' | 'date'
        /**
         * @description What the rule matches
         * @example Sender
         */
        'X-Rule-Type': 'Sender' | 'List' | 'Thread' | 'Template'
        /**
         * @description What the rule does
         * @example ham
         */
        'X-Label': 'ham' | 'spam'
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example Received: from out12.example.net (out12.example.net [192.0.2.25])
         *     	by mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000
         *     From: Harbour Street Books <orders@example.net>
         *     To: sam@example.com
         *     Subject: Your order 1048-77215 is confirmed
         *     Date: Fri, 7 Nov 2025 18:03:28 +0000
         *     Message-ID: <order-1048-77215@example.net>
         *     Content-Type: text/plain; charset=utf-8
         *
         *     Thank you for your order, Sam.
         *
         *     1 x The Salt Path, paperback    10.99
         *     Delivery                         2.95
         *     Total                           13.94
         *
         *     We will write again when the parcel leaves our warehouse:
         *     https://www.example.net/orders/1048-77215
         */
        'message/rfc822': string
      }
    }
    responses: {
      /** @description The rule already existed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "label": "ham"
           *     }
           */
          'application/json': components['schemas']['SpamRule']
        }
      }
      /** @description The rule was created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "label": "ham"
           *     }
           */
          'application/json': components['schemas']['SpamRule']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, HEADER_INVALID, NOT_A_MESSAGE, RULES_FULL */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN, STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  rules: {
    parameters: {
      query: {
        /**
         * @description The user: 1 to 256 visible characters
         * @example user-4711
         */
        userId: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The rules */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "userId": "user-4711",
           *       "rules": [
           *         {
           *           "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *           "userId": "user-4711",
           *           "ruleType": "Sender",
           *           "pattern": "orders@example.net",
           *           "source": "explicit",
           *           "unverified": true,
           *           "createdAt": "2026-11-21T19:10:02.156Z",
           *           "label": "ham"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['SpamRules']
        }
      }
      /** @description Error: FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  createRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "userId": "user-4711",
         *       "ruleType": "Sender",
         *       "pattern": "orders@example.net",
         *       "label": "ham"
         *     }
         */
        'application/json': components['schemas']['SpamRuleBody']
      }
    }
    responses: {
      /** @description The rule already existed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "label": "ham"
           *     }
           */
          'application/json': components['schemas']['SpamRule']
        }
      }
      /** @description The rule was created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "label": "ham"
           *     }
           */
          'application/json': components['schemas']['SpamRule']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, RULES_FULL */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  removeRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "userId": "user-4711",
         *       "ruleType": "Sender",
         *       "pattern": "orders@example.net"
         *     }
         */
        'application/json': components['schemas']['RemoveRuleBody']
      }
    }
    responses: {
      /** @description The rule was removed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "removed",
           *       "removed": 1
           *     }
           */
          'application/json': components['schemas']['RemovedRules']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  createTabsRuleStream: {
    parameters: {
      query?: never
      header: {
        /**
         * @description IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none
         * @example 192.0.2.25
         */
        'X-Sender-IP'?: string
        /**
         * @description Envelope sender, with or without angle brackets; empty and `<>` are the null sender
         * @example orders@example.net
         */
        'X-Sender-Email'?: string
        /**
         * @description The owner of the rule
         * @example user-4711
         */
        'X-User-ID': string
        /** @description A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none */
        'X-Arrival-Fallback'?: 'now' | 'date'
        /**
         * @description What the rule matches
         * @example Sender
         */
        'X-Rule-Type': 'Sender' | 'List' | 'Thread' | 'Template'
        /**
         * @description What the rule does
         * @example transactions
         */
        'X-Classification': 'primary' | 'promotions' | 'updates' | 'transactions'
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example Received: from out12.example.net (out12.example.net [192.0.2.25])
         *     	by mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000
         *     From: Harbour Street Books <orders@example.net>
         *     To: sam@example.com
         *     Subject: Your order 1048-77215 is confirmed
         *     Date: Fri, 7 Nov 2025 18:03:28 +0000
         *     Message-ID: <order-1048-77215@example.net>
         *     Content-Type: text/plain; charset=utf-8
         *
         *     Thank you for your order, Sam.
         *
         *     1 x The Salt Path, paperback    10.99
         *     Delivery                         2.95
         *     Total                           13.94
         *
         *     We will write again when the parcel leaves our warehouse:
         *     https://www.example.net/orders/1048-77215
         */
        'message/rfc822': string
      }
    }
    responses: {
      /** @description The rule already existed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "classification": "transactions"
           *     }
           */
          'application/json': components['schemas']['ClassRule']
        }
      }
      /** @description The rule was created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "classification": "transactions"
           *     }
           */
          'application/json': components['schemas']['ClassRule']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, HEADER_INVALID, NOT_A_MESSAGE, RULES_FULL */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN, STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  tabsRules: {
    parameters: {
      query: {
        /**
         * @description The user: 1 to 256 visible characters
         * @example user-4711
         */
        userId: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The rules */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "userId": "user-4711",
           *       "rules": [
           *         {
           *           "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *           "userId": "user-4711",
           *           "ruleType": "Sender",
           *           "pattern": "orders@example.net",
           *           "source": "explicit",
           *           "unverified": true,
           *           "createdAt": "2026-11-21T19:10:02.156Z",
           *           "classification": "transactions"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ClassRules']
        }
      }
      /** @description Error: FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  createTabsRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "userId": "user-4711",
         *       "ruleType": "Sender",
         *       "pattern": "orders@example.net",
         *       "classification": "transactions"
         *     }
         */
        'application/json': components['schemas']['ClassRuleBody']
      }
    }
    responses: {
      /** @description The rule already existed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "classification": "transactions"
           *     }
           */
          'application/json': components['schemas']['ClassRule']
        }
      }
      /** @description The rule was created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "classification": "transactions"
           *     }
           */
          'application/json': components['schemas']['ClassRule']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, RULES_FULL */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  removeTabsRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "userId": "user-4711",
         *       "ruleType": "Sender",
         *       "pattern": "orders@example.net"
         *     }
         */
        'application/json': components['schemas']['RemoveRuleBody']
      }
    }
    responses: {
      /** @description The rule was removed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "removed",
           *       "removed": 1
           *     }
           */
          'application/json': components['schemas']['RemovedRules']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  users: {
    parameters: {
      query?: {
        /**
         * @description Only users whose id begins with this; case matters. At most 256 visible characters; empty means all
         * @example user-47
         */
        search?: string
        /** @description Maximum number of users in the answer */
        limit?: number
        /** @description `cursor` of an answer, for the users after it; `search` stays the same */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The users */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "users": [
           *         {
           *           "userId": "user-4711",
           *           "rules": 2,
           *           "corrections": 14,
           *           "lastCorrection": "2026-11-21T19:10:02.156Z",
           *           "correspondents": 61
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['UsersResult']
        }
      }
      /** @description Error: FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  corrections: {
    parameters: {
      query: {
        /**
         * @description The user: 1 to 256 visible characters
         * @example user-4711
         */
        userId: string
        /** @description Maximum number of corrections in the answer */
        limit?: number
        /** @description `cursor` of an answer, for the corrections before it */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The corrections */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "userId": "user-4711",
           *       "corrections": [
           *         {
           *           "feedbackId": "2d94fd2c-e957-4b3b-94ff-3982fd104fb2",
           *           "kind": "spam",
           *           "label": "ham",
           *           "authenticatedDomain": "example.net",
           *           "createdAt": "2026-11-21T19:10:02.156Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['CorrectionsResult']
        }
      }
      /** @description Error: FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  memory: {
    parameters: {
      query: {
        /**
         * @description The user: 1 to 256 visible characters
         * @example user-4711
         */
        userId: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The memory */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "userId": "user-4711",
           *       "items": [
           *         {
           *           "feedbackId": "2d94fd2c-e957-4b3b-94ff-3982fd104fb2",
           *           "kind": "spam",
           *           "label": "ham",
           *           "embeddingModel": "tamis-static-2026.11.2",
           *           "similarityKey": "H7rANruquRhZVfq0Pm9_tzkF5J8MgTTOCiigtdHFEQo",
           *           "claimedDomain": "example.net",
           *           "createdAt": "2026-11-21T19:10:02.156Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['MemoryResult']
        }
      }
      /** @description Error: FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  deleteTabsData: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "userId": "user-4711"
         *     }
         */
        'application/json': components['schemas']['UserBody']
      }
    }
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "deleted",
           *       "userId": "user-4711",
           *       "deletedAt": "2026-11-21T19:10:02.156Z",
           *       "deleted": {
           *         "rules": 2,
           *         "memory": 2,
           *         "feedback": 2
           *       },
           *       "jobId": "60a2572b-44b0-491d-8871-f85196c17e50"
           *     }
           */
          'application/json': components['schemas']['DeletedData']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  deleteData: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "userId": "user-4711"
         *     }
         */
        'application/json': components['schemas']['UserBody']
      }
    }
    responses: {
      /** @description Deleted */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "deleted",
           *       "userId": "user-4711",
           *       "deletedAt": "2026-11-21T19:10:02.156Z",
           *       "deleted": {
           *         "rules": 2,
           *         "memory": 2,
           *         "feedback": 2
           *       },
           *       "jobId": "60a2572b-44b0-491d-8871-f85196c17e50"
           *     }
           */
          'application/json': components['schemas']['DeletedData']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  correspondents: {
    parameters: {
      query: {
        /**
         * @description The user: 1 to 256 visible characters
         * @example user-4711
         */
        userId: string
        /** @description Maximum number in the answer; 100 by default */
        limit?: number
        /** @description Start of the page: `next` of the previous page */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The correspondents */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "userId": "user-4711",
           *       "correspondents": [
           *         {
           *           "kind": "written",
           *           "key": "H7rANruquRhZVfq0Pm9_tw",
           *           "times": 3,
           *           "firstAt": "2026-11-21T19:10:02.156Z",
           *           "lastAt": "2026-11-21T19:10:02.156Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          'application/json': components['schemas']['CorrespondentsResult']
        }
      }
      /** @description Error: FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  addCorrespondents: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "userId": "user-4711",
         *       "addresses": [
         *         "ann@example.com"
         *       ],
         *       "messageIds": [
         *         "<1@example.org>"
         *       ]
         *     }
         */
        'application/json': components['schemas']['CorrespondentsBody']
      }
    }
    responses: {
      /** @description Recorded */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "recorded",
           *       "userId": "user-4711",
           *       "added": 2
           *     }
           */
          'application/json': components['schemas']['RecordedCorrespondents']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  removeCorrespondents: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "userId": "user-4711",
         *       "addresses": [
         *         "ann@example.com"
         *       ]
         *     }
         */
        'application/json': components['schemas']['RemoveCorrespondentsBody']
      }
    }
    responses: {
      /** @description Removed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "removed",
           *       "userId": "user-4711",
           *       "removed": 1
           *     }
           */
          'application/json': components['schemas']['RemovedCorrespondents']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  job: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example 60a2572b-44b0-491d-8871-f85196c17e50 */
        jobId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The job */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "jobId": "60a2572b-44b0-491d-8871-f85196c17e50",
           *       "kind": "rebuild",
           *       "state": "done",
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "finishedAt": "2026-11-21T19:10:04.027Z"
           *     }
           */
          'application/json': components['schemas']['JobResult']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  siteRules: {
    parameters: {
      query?: {
        /**
         * @description `api`, the default: made by API; `files`: those of the operator’s files
         * @example api
         */
        source?: 'api' | 'files'
        /** @description Maximum number in the answer; 100 by default */
        limit?: number
        /** @description Start of the page: `next` of the previous page */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of rules */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "rules": [
           *         {
           *           "id": "7f0f6a52-0d4e-4d8f-9d2c-5a9a1de8c9b7",
           *           "label": "spam",
           *           "ruleType": "Sender",
           *           "pattern": "*.top",
           *           "recipientDomain": "example.org",
           *           "source": "api",
           *           "createdAt": "2026-11-21T19:10:02.156Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          'application/json': components['schemas']['SiteRules']
        }
      }
      /** @description Error: FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  createSiteRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "label": "spam",
         *       "ruleType": "Sender",
         *       "pattern": "*.top",
         *       "recipientDomain": "example.org"
         *     }
         */
        'application/json': components['schemas']['SiteRuleBody']
      }
    }
    responses: {
      /** @description The rule already existed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "7f0f6a52-0d4e-4d8f-9d2c-5a9a1de8c9b7",
           *       "label": "spam",
           *       "ruleType": "Sender",
           *       "pattern": "*.top",
           *       "recipientDomain": "example.org",
           *       "source": "api",
           *       "createdAt": "2026-11-21T19:10:02.156Z"
           *     }
           */
          'application/json': components['schemas']['SiteRule']
        }
      }
      /** @description The rule was created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "7f0f6a52-0d4e-4d8f-9d2c-5a9a1de8c9b7",
           *       "label": "spam",
           *       "ruleType": "Sender",
           *       "pattern": "*.top",
           *       "recipientDomain": "example.org",
           *       "source": "api",
           *       "createdAt": "2026-11-21T19:10:02.156Z"
           *     }
           */
          'application/json': components['schemas']['SiteRule']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, RULES_FULL */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RULE_CONTRADICTS */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  removeSiteRule: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example 7f0f6a52-0d4e-4d8f-9d2c-5a9a1de8c9b7 */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The rule was removed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "removed",
           *       "id": "7f0f6a52-0d4e-4d8f-9d2c-5a9a1de8c9b7"
           *     }
           */
          'application/json': components['schemas']['RemovedSiteRule']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  weightedRules: {
    parameters: {
      query?: {
        /**
         * @description `api`, the default: made by API; `files`: those of the operator’s files
         * @example api
         */
        source?: 'api' | 'files'
        /** @description Maximum number in the answer; 100 by default */
        limit?: number
        /** @description Start of the page: `next` of the previous page */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of rules */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "rules": [
           *         {
           *           "id": "1c6f0a4e-3f2b-4a7d-9f57-6a1d0c5be2a4",
           *           "name": "ACME_FAX_SPAM",
           *           "weight": 2.5,
           *           "conditions": [
           *             {
           *               "part": "subject",
           *               "contains": "fax received"
           *             },
           *             {
           *               "part": "attachment",
           *               "kind": "iso"
           *             }
           *           ],
           *           "source": "api",
           *           "createdAt": "2026-11-21T19:10:02.156Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          'application/json': components['schemas']['WeightedRules']
        }
      }
      /** @description Error: FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  createWeightedRule: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "ACME_FAX_SPAM",
         *       "weight": 2.5,
         *       "conditions": [
         *         {
         *           "part": "subject",
         *           "contains": "fax received"
         *         },
         *         {
         *           "part": "attachment",
         *           "kind": "iso"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['WeightedRuleBody']
      }
    }
    responses: {
      /** @description The rule already existed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "1c6f0a4e-3f2b-4a7d-9f57-6a1d0c5be2a4",
           *       "name": "ACME_FAX_SPAM",
           *       "weight": 2.5,
           *       "conditions": [
           *         {
           *           "part": "subject",
           *           "contains": "fax received"
           *         },
           *         {
           *           "part": "attachment",
           *           "kind": "iso"
           *         }
           *       ],
           *       "source": "api",
           *       "createdAt": "2026-11-21T19:10:02.156Z"
           *     }
           */
          'application/json': components['schemas']['WeightedRule']
        }
      }
      /** @description The rule was created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "1c6f0a4e-3f2b-4a7d-9f57-6a1d0c5be2a4",
           *       "name": "ACME_FAX_SPAM",
           *       "weight": 2.5,
           *       "conditions": [
           *         {
           *           "part": "subject",
           *           "contains": "fax received"
           *         },
           *         {
           *           "part": "attachment",
           *           "kind": "iso"
           *         }
           *       ],
           *       "source": "api",
           *       "createdAt": "2026-11-21T19:10:02.156Z"
           *     }
           */
          'application/json': components['schemas']['WeightedRule']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, RULES_FULL */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RULE_CONTRADICTS */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  removeWeightedRule: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @example 1c6f0a4e-3f2b-4a7d-9f57-6a1d0c5be2a4 */
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The rule was removed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "removed",
           *       "id": "1c6f0a4e-3f2b-4a7d-9f57-6a1d0c5be2a4"
           *     }
           */
          'application/json': components['schemas']['RemovedWeightedRule']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  recipientSettings: {
    parameters: {
      query?: {
        /** @description Maximum number in the answer; 100 by default */
        limit?: number
        /** @description Start of the page: `next` of the previous page */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of settings */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "recipients": [
           *         {
           *           "kind": "domain",
           *           "name": "example.org",
           *           "threshold": "strict",
           *           "learning": null,
           *           "rejectAt": 0.999,
           *           "quarantineAt": null,
           *           "updatedAt": "2026-11-21T19:10:02.156Z"
           *         }
           *       ],
           *       "next": null
           *     }
           */
          'application/json': components['schemas']['RecipientSettings']
        }
      }
      /** @description Error: FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  removeRecipient: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "kind": "domain",
         *       "name": "example.org"
         *     }
         */
        'application/json': components['schemas']['RecipientBody']
      }
    }
    responses: {
      /** @description The settings were removed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "removed",
           *       "kind": "domain",
           *       "name": "example.org"
           *     }
           */
          'application/json': components['schemas']['RemovedRecipient']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  setRecipient: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "kind": "domain",
         *       "name": "example.org",
         *       "threshold": "strict"
         *     }
         */
        'application/json': components['schemas']['RecipientSettingBody']
      }
    }
    responses: {
      /** @description The current settings */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "kind": "domain",
           *       "name": "example.org",
           *       "threshold": "strict",
           *       "learning": null,
           *       "rejectAt": 0.999,
           *       "quarantineAt": null,
           *       "updatedAt": "2026-11-21T19:10:02.156Z"
           *     }
           */
          'application/json': components['schemas']['RecipientSetting']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, RULES_FULL */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  models: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The models */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "base": "2026.11.2",
           *       "learning": {
           *         "mode": "users",
           *         "promoted": 2,
           *         "refused": 0
           *       },
           *       "versions": [
           *         {
           *           "version": 1,
           *           "state": "promoted",
           *           "base": "2026.11.2",
           *           "createdAt": "2026-11-21T19:10:02.156Z",
           *           "metrics": {
           *             "corrections": 12,
           *             "promotions": 2,
           *             "refused": 0
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ModelsResult']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  modelCards: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The cards */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "models": [
           *         {
           *           "name": "text",
           *           "version": "2026.11.4",
           *           "card": "# Text model\n\n**What it is.** Logistic regression on words …",
           *           "manifest": {
           *             "featureVersion": "t5-262144-mfb074695",
           *             "seed": 20261121
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ModelCards']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  promoteModels: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description In use now */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "version": 1
           *     }
           */
          'application/json': components['schemas']['ModelVersion']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_READY, STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  rollbackModels: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description In use now */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "version": null
           *     }
           */
          'application/json': components['schemas']['ModelVersion']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_READY, STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  settings: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The settings */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "settings": [
           *         {
           *           "group": "thresholds",
           *           "key": "threshold",
           *           "environment": "TAMIS_THRESHOLD",
           *           "value": "cautious",
           *           "source": "environment"
           *         },
           *         {
           *           "group": "feeds",
           *           "key": "feeds",
           *           "environment": "TAMIS_FEEDS",
           *           "value": "",
           *           "source": "default"
           *         }
           *       ],
           *       "keys": [
           *         {
           *           "name": "mail server",
           *           "scopes": [
           *             "classify"
           *           ],
           *           "entitlements": [
           *             "spam",
           *             "classification"
           *           ],
           *           "createdAt": "2026-11-21T19:10:02.156Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['SettingsResult']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  health: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The process is running */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "ok"
           *     }
           */
          'application/json': components['schemas']['Health']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  ready: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The service accepts messages */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "ready",
           *       "setAside": {
           *         "features": 0,
           *         "embeddings": 0
           *       },
           *       "feeds": [
           *         {
           *           "feed": "phishtank",
           *           "entries": 61024,
           *           "ageSeconds": 1804,
           *           "lastFailure": null
           *         }
           *       ],
           *       "reader": {
           *         "mode": "doubtful",
           *         "available": true,
           *         "failure": null
           *       },
           *       "senders": {
           *         "dns": true
           *       }
           *     }
           */
          'application/json': components['schemas']['Ready']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_READY, STORE_DAMAGED */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  stats: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The counts */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "users": 41,
           *       "rules": 118,
           *       "corrections": {
           *         "spam": 1204,
           *         "tabs": 377
           *       },
           *       "correspondents": {
           *         "written": 2310,
           *         "sent": 4025,
           *         "received": 512,
           *         "heard": 3906
           *       },
           *       "setAside": {
           *         "features": 0,
           *         "embeddings": 0
           *       },
           *       "models": "2026.11.2",
           *       "embeddingModel": "tamis-static-2026.11.2",
           *       "queueDepth": 0,
           *       "feeds": [
           *         {
           *           "feed": "phishtank",
           *           "entries": 61024,
           *           "ageSeconds": 1804,
           *           "lastFailure": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Stats']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  recentStats: {
    parameters: {
      query?: {
        /**
         * @description Only steps that began later than this: the `at` of the last complete step
         * @example 2026-11-20T12:00:00.000Z
         */
        after?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The steps */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "stepSeconds": 5,
           *       "steps": [
           *         {
           *           "at": "2026-11-20T12:00:05.000Z",
           *           "messages": 212,
           *           "refused": 0,
           *           "spam": 31,
           *           "ham": 181,
           *           "overridden": 14,
           *           "escalated": 9,
           *           "classes": {
           *             "primary": 61,
           *             "promotions": 40,
           *             "updates": 83,
           *             "transactions": 28
           *           },
           *           "latencyMs": {
           *             "p50": 2.41,
           *             "p95": 6.87,
           *             "p99": 14.8
           *           },
           *           "queueDepth": 3,
           *           "feeds": {
           *             "phishtank": 1804
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['RecentWork']
        }
      }
      /** @description Error: FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  recentMessages: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The recent messages of the tenant */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "since": "2026-11-20T12:00:00.000Z",
           *       "messages": [
           *         {
           *           "at": "2026-11-20T12:28:07.512Z",
           *           "messageId": "20261120122805.4711@prize.example.com",
           *           "verdict": "spam",
           *           "spamProbability": 0.9931,
           *           "classification": "promotions",
           *           "bypassReason": null,
           *           "shouldEscalate": false,
           *           "senderDomain": "prize.example.com",
           *           "reasons": [
           *             {
           *               "name": "LINK_IP_HOST",
           *               "points": 1.96,
           *               "description": "A link leads to a bare IP address."
           *             }
           *           ],
           *           "ms": 4.7
           *         }
           *       ],
           *       "reasons": [
           *         {
           *           "name": "LINK_IP_HOST",
           *           "description": "A link leads to a bare IP address.",
           *           "forSpam": 31,
           *           "againstSpam": 0,
           *           "points": 1.96
           *         }
           *       ],
           *       "senders": [
           *         {
           *           "domain": "prize.example.com",
           *           "messages": 24,
           *           "spam": 23,
           *           "ham": 1
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['RecentMessages']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  history: {
    parameters: {
      query?: {
        /** @description Message-ID, with or without its brackets */
        messageId?: string
        /** @description The mail server’s name for the message */
        queueId?: string
        /** @description `X-Reference` of the request; the milter writes it into the text of a refusal */
        reference?: string
        /**
         * @description An address, in From or in the envelope; or the domain of the address in From
         * @example example.net
         */
        sender?: string
        /** @description The user */
        recipient?: string
        /** @example ham */
        verdict?: 'spam' | 'ham'
        /** @description Whether a person should review it */
        escalated?: 'true' | 'false'
        /** @description Mail that is escalated or was quarantined, and that its user has not corrected since; of the last 7 days unless `since` says otherwise */
        needs?: 'review'
        /** @description What became of it */
        action?: 'accepted' | 'tagged' | 'deferred' | 'quarantined' | 'rejected'
        /** @description Judged at this time or later */
        since?: string
        /** @description Judged before */
        until?: string
        /** @description Maximum number of entries in the answer */
        limit?: number
        /** @description `cursor` of an answer, for the entries after it; the rest stays the same */
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The entries */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "days": 30,
           *       "entries": [
           *         {
           *           "id": "1795288202156-4711",
           *           "judgedAt": "2026-11-21T19:10:02.156Z",
           *           "messageId": "order-1048-77215@example.net",
           *           "sender": "orders@example.net",
           *           "senderDomain": "example.net",
           *           "envelopeSender": "orders@example.net",
           *           "userId": "user-4711",
           *           "isSpam": false,
           *           "spamProbability": 0.031,
           *           "threshold": 0.965,
           *           "bypassReason": null,
           *           "classification": "transactions",
           *           "shouldEscalate": false,
           *           "sentence": "Almost certainly not spam: its wording is typical of wanted mail.",
           *           "reasons": [
           *             {
           *               "name": "TAMIS_TEXT",
           *               "points": -3.4,
           *               "description": "The wording."
           *             }
           *           ],
           *           "elapsedMs": 4,
           *           "askedBy": "milter",
           *           "queueId": "4fxQ2b1Kz9z2",
           *           "reference": "7k3mq9xw2r",
           *           "action": "accepted"
           *         }
           *       ],
           *       "cursor": "1795288202156-4711"
           *     }
           */
          'application/json': components['schemas']['HistoryResult']
        }
      }
      /** @description Error: FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: HISTORY_OFF */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  recordActions: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "actions": [
         *         {
         *           "reference": "7k3mq9xw2r",
         *           "action": "rejected"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['ActionsBody']
      }
    }
    responses: {
      /** @description How many entries have it now */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "recorded": 1
           *     }
           */
          'application/json': components['schemas']['RecordedActions']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: HISTORY_OFF */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  metrics: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The metrics */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example # HELP tamis_verdicts_total Full classifications; reason is what overrode the models, or none
           *     # TYPE tamis_verdicts_total counter
           *     tamis_verdicts_total{tenant="default",verdict="spam",reason="none"} 1204
           */
          'text/plain': string
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  openApi: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The document */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "openapi": "3.1.0"
           *     }
           */
          'application/json': {
            [key: string]: unknown
          }
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  classifyPath: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "path": "/var/mail/incoming/1.eml",
         *       "ipAddress": "192.0.2.25",
         *       "senderEmail": "orders@example.net",
         *       "userId": "user-4711"
         *     }
         */
        'application/json': components['schemas']['ClassifyPathBody']
      }
    }
    responses: {
      /** @description The verdict */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "isSpam": false,
           *       "spamProbability": 0.1068,
           *       "classification": "transactions",
           *       "textSpamScore": 0.349,
           *       "metaSpamScore": 0.1695,
           *       "confidenceMargin": 0.8395,
           *       "entropy": 0.4903,
           *       "disagreement": 0.1794,
           *       "shouldEscalate": false,
           *       "bypassReason": null,
           *       "senderAuthenticated": false
           *     }
           */
          'application/json': components['schemas']['FullResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, NOT_A_MESSAGE, PATH_NOT_READABLE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: PATH_FORMS_DISABLED */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  tabsClassifyPath: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "path": "/var/mail/incoming/1.eml",
         *       "senderIp": "192.0.2.25",
         *       "senderEmail": "orders@example.net",
         *       "userId": "user-4711"
         *     }
         */
        'application/json': components['schemas']['TabsPathBody']
      }
    }
    responses: {
      /** @description The class */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "classification": "transactions",
           *       "confidence": 0.9914,
           *       "classificationProbabilities": {
           *         "primary": 0.0027,
           *         "promotions": 0.0009,
           *         "updates": 0.005,
           *         "transactions": 0.9914
           *       },
           *       "personalizationSource": null,
           *       "elapsedMs": 4
           *     }
           */
          'application/json': components['schemas']['TabsResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, NOT_A_MESSAGE, PATH_NOT_READABLE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: PATH_FORMS_DISABLED */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  diagnosticPath: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "path": "/var/mail/incoming/1.eml"
         *     }
         */
        'application/json': components['schemas']['ClassifyPathBody']
      }
    }
    responses: {
      /** @description The breakdown */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DiagnosticResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, NOT_A_MESSAGE, PATH_NOT_READABLE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: PATH_FORMS_DISABLED */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  feedbackPath: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "path": "/var/mail/incoming/1.eml",
         *       "userId": "user-4711",
         *       "isSpam": false
         *     }
         */
        'application/json': components['schemas']['FeedbackPathBody']
      }
    }
    responses: {
      /** @description Recorded */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "userId": "user-4711",
           *       "feedbackId": "2d94fd2c-e957-4b3b-94ff-3982fd104fb2"
           *     }
           */
          'application/json': components['schemas']['SpamFeedbackResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, NOT_A_MESSAGE, PATH_NOT_READABLE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: PATH_FORMS_DISABLED */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN, STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  tabsFeedbackPath: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "path": "/var/mail/incoming/1.eml",
         *       "userId": "user-4711",
         *       "correctClassification": "updates"
         *     }
         */
        'application/json': components['schemas']['TabsFeedbackPathBody']
      }
    }
    responses: {
      /** @description Recorded */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "success",
           *       "userId": "user-4711",
           *       "classification": "updates",
           *       "feedbackId": "69c812ea-9b8a-4c18-9041-8b4cd8b23a6d"
           *     }
           */
          'application/json': components['schemas']['TabsFeedbackResult']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, NOT_A_MESSAGE, PATH_NOT_READABLE */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: PATH_FORMS_DISABLED */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN, STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  createRulePath: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "path": "/var/mail/incoming/1.eml",
         *       "userId": "user-4711",
         *       "ruleType": "Sender",
         *       "label": "ham"
         *     }
         */
        'application/json': components['schemas']['SpamRulePathBody']
      }
    }
    responses: {
      /** @description The rule already existed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "label": "ham"
           *     }
           */
          'application/json': components['schemas']['SpamRule']
        }
      }
      /** @description The rule was created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "label": "ham"
           *     }
           */
          'application/json': components['schemas']['SpamRule']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, NOT_A_MESSAGE, PATH_NOT_READABLE, RULES_FULL */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: PATH_FORMS_DISABLED */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN, STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
  createTabsRulePath: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "path": "/var/mail/incoming/1.eml",
         *       "userId": "user-4711",
         *       "ruleType": "Sender",
         *       "classification": "transactions"
         *     }
         */
        'application/json': components['schemas']['ClassRulePathBody']
      }
    }
    responses: {
      /** @description The rule already existed */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "classification": "transactions"
           *     }
           */
          'application/json': components['schemas']['ClassRule']
        }
      }
      /** @description The rule was created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "id": "ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b",
           *       "userId": "user-4711",
           *       "ruleType": "Sender",
           *       "pattern": "orders@example.net",
           *       "source": "explicit",
           *       "unverified": true,
           *       "createdAt": "2026-11-21T19:10:02.156Z",
           *       "classification": "transactions"
           *     }
           */
          'application/json': components['schemas']['ClassRule']
        }
      }
      /** @description Error: BODY_TRUNCATED, FIELD_INVALID, NOT_A_MESSAGE, PATH_NOT_READABLE, RULES_FULL */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: UNAUTHENTICATED */
      401: {
        headers: {
          'WWW-Authenticate'?: string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: NOT_ENTITLED, ORIGIN_FORBIDDEN, SCOPE_MISSING */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_TIMEOUT */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: MESSAGE_TOO_LARGE */
      413: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: CONTENT_TYPE_UNSUPPORTED */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: RATE_LIMITED */
      429: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: REQUEST_HEADER_TOO_LARGE */
      431: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: INTERNAL */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: PATH_FORMS_DISABLED */
      501: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
      /** @description Error: BUFFERS_FULL, NOT_READY, QUEUE_FULL, QUEUE_TIMEOUT, SHUTTING_DOWN, STORE_UNAVAILABLE */
      503: {
        headers: {
          'Retry-After'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Error']
        }
      }
    }
  }
}
