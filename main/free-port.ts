import { once } from 'node:events'
import { createServer } from 'node:net'

const TRIES = 100
const LAST = 65_535

/** The first port after `taken` that this account can listen on; one of the system's choice when the next hundred are taken. */
export async function freePortAfter(taken: number, host: string): Promise<number> {
  for (let port = taken + 1; port <= Math.min(taken + TRIES, LAST); port += 1) {
    if ((await portOf(port, host)) !== undefined) return port
  }
  return (await portOf(0, host)) ?? taken
}

/** The port that was opened and closed again, or undefined when it could not be opened. */
async function portOf(port: number, host: string): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : undefined
  } catch {
    // In use, or not for this account: the caller tries the next one.
    return undefined
  } finally {
    server.close()
  }
}
