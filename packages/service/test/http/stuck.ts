/** The worker of stuck-thread.ts, as a test sees it: when it is stuck, and how it goes on. */
export const STUCK_CHANNEL = 'tamis-test-stuck'
export const GO_ON_CHANNEL = 'tamis-test-go-on'

/** Resolves once a worker is stuck; to be called before the message is sent. */
export async function threadStuck(): Promise<void> {
  const channel = new BroadcastChannel(STUCK_CHANNEL)
  await new Promise((resolve) => channel.addEventListener('message', resolve))
  channel.close()
}

/** Lets the worker that is stuck go on. */
export function letGoOn(): void {
  const channel = new BroadcastChannel(GO_ON_CHANNEL)
  channel.postMessage('go on')
  channel.close()
}

/** Of a service whose worker a message may keep busy: `X-Stuck-Ms: 60000`. */
export const STUCK_WORKER = {
  threadModule: new URL('./stuck-thread.ts', import.meta.url),
  threadBytesMin: 0,
}
