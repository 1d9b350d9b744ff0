/** The thread of odd-thread.ts, as a test sees it: when it is stuck, and how it goes on. */
export const STUCK_CHANNEL = 'tamis-test-stuck'
export const GO_ON_CHANNEL = 'tamis-test-go-on'

/** Resolves once it is stuck; to be called before the message is sent. */
export async function threadStuck(): Promise<void> {
  const channel = new BroadcastChannel(STUCK_CHANNEL)
  await new Promise((resolve) => channel.addEventListener('message', resolve))
  channel.close()
}

/** Lets it go on. */
export function letGoOn(): void {
  const channel = new BroadcastChannel(GO_ON_CHANNEL)
  channel.postMessage('go on')
  channel.close()
}

/** Of a service that analyses all messages on that thread. */
export const ODD_THREAD = {
  threadModule: new URL('./odd-thread.ts', import.meta.url),
  smallBytesMax: -1,
}

/** The same, which is not ended as long as it is stuck. */
export const STUCK_THREAD = { ...ODD_THREAD, times: { workerKillMs: 60_000 } }
