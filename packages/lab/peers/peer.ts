/** Another spam filter in one set-up: started with nothing learned, asked for verdicts, told labels. */

/** What a filter said of one message. */
export interface PeerVerdict {
  /** Its own scale; higher is more like spam. */
  readonly score: number
  /** By its own default threshold. */
  readonly calledSpam: boolean
}

/** Where and how a filter runs. */
export interface Place {
  /** Empty folder, for what it stores. */
  readonly scratch: string
  /** Processes that read messages; those that start and watch them come on top. */
  readonly workers?: number
  /** The cores to run on, written as for `taskset -c`; all when absent. */
  readonly cores?: string
}

/** A filter that runs. Messages are paths of raw messages. */
export interface RunningPeer {
  readonly judge: (path: string) => Promise<PeerVerdict>
  readonly learn: (paths: readonly string[], spam: boolean) => Promise<void>
  readonly stop: () => Promise<void>
}

export interface Peer {
  readonly name: string
  /** How it is set up: with `name` a row of the report. */
  readonly mode: string
  /** Whether it is to be trained before it is asked. */
  readonly learns: boolean
  /** Messages that it judges at a time. */
  readonly concurrency: number
  /** As the installed program gives it; undefined when it, or what it needs, is not installed. */
  readonly version: () => string | undefined
  readonly start: (place: Place) => Promise<RunningPeer>
}

/** A server to which messages are sent over the loopback. */
export interface PeerServer {
  /** Of the process that has started all others. */
  readonly pid: number
  readonly port: number
  readonly stop: () => Promise<void>
}
