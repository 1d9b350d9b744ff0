/** Another spam filter, run on the same files. */

/** What a filter said of one message. */
export interface PeerVerdict {
  /** Its own scale; higher is more like spam. */
  readonly score: number
  /** By its own default threshold. */
  readonly calledSpam: boolean
}

/** One training set and the messages to be judged after it. All are paths of raw messages. */
export interface PeerTask {
  readonly spam: readonly string[]
  readonly ham: readonly string[]
  readonly messages: readonly string[]
  /** Empty folder, for what the filter stores. */
  readonly scratch: string
  /** Called after each message judged. */
  readonly onJudged: () => void
}

/** Verdicts in the order of the messages, for each way in which the filter can be run. */
export type PeerVerdicts = ReadonlyMap<string, readonly PeerVerdict[]>

export interface Peer {
  readonly name: string
  /** How it is run, each a row of the report. */
  readonly modes: readonly string[]
  /** As the installed program gives it; undefined when it is not installed. */
  readonly version: () => string | undefined
  readonly judge: (task: PeerTask) => Promise<PeerVerdicts>
}
