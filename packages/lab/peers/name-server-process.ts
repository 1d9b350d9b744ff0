/** A name server in a process of its own, so that the load generator does not keep its answers waiting. */
import { startNameServer } from './name-server.ts'

const { port } = await startNameServer()
process.send!(port)
// It ends with the process that started it.
process.on('disconnect', () => process.exit())
