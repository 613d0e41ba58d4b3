import type { Server } from 'node:net'

/**
 * Listens on a free loopback port and prints its address, the line that the starting process waits for (processes.ts).
 */
export function listen(server: Server) {
  server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    process.stdout.write(`http://127.0.0.1:${port}\n`)
  })
}

/** The host name and port of the upstream a bare proxy forwards to: its only argument. */
export function upstreamUrl(): URL {
  const given = process.argv[2]
  if (!given) throw new Error('usage: <proxy> http://127.0.0.1:<port of the upstream>')
  return new URL(given)
}
