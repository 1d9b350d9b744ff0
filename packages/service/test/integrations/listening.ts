/** A filter that listens on this thread, for one test. */
import { createServer, type Socket } from 'node:net'
import type { Filter } from '../../integrations/filter.ts'
import { listenAt } from '../../integrations/listen-address.ts'

export interface Listening {
  /** 0 for a Unix socket. */
  readonly port: number
  close(): Promise<void>
}

/** By default on a free port. */
export async function listenWith(
  filter: Filter,
  {
    allowHalfOpen,
    address = 'inet:0@127.0.0.1',
  }: { readonly allowHalfOpen: boolean; readonly address?: string | undefined },
): Promise<Listening> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    void filter.serve(socket)
  })
  const bound = await listenAt(server, address)
  return {
    port: Number(/^inet:(\d+)/.exec(bound)?.[1] ?? 0),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      filter.end()
      for (const socket of sockets) socket.destroySoon()
      await closed
    },
  }
}
