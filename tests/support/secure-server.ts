import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'
import { aCertificate } from '../gateway/channels/testing/certificate.ts'

/** The response to a path: text or bytes with 200, a redirect, another status, or a body that never ends. */
export type Given = string | Buffer | Readonly<{ to: string } | { status: number } | { begins: string }>

/** An HTTPS server on `localhost` whose certificate this process trusts until the test ends or creates another. */
export async function aSecureServer(given: Readonly<Record<string, () => Given>>) {
  const certificate = aCertificate()
  // All certificates of tests have the same name, and only the first certificate of a name is considered.
  const usual = getCACertificates('bundled')
  setDefaultCACertificates([...usual, certificate.cert])
  const asked: { path: string; headers: NodeJS.Dict<string | string[]> }[] = []
  const server: Server = createServer(
    { key: certificate.key, cert: certificate.cert },
    ({ url = '', headers }, response) => {
      const [path = ''] = url.split('?')
      asked.push({ path, headers })
      const answer = given[path]?.() ?? { status: 404 }
      if (typeof answer === 'string' || Buffer.isBuffer(answer))
        return response.writeHead(200, { 'content-length': Buffer.byteLength(answer) }).end(answer)
      if ('to' in answer) return response.writeHead(302, { location: answer.to }).end()
      if ('begins' in answer) return response.writeHead(200).write(answer.begins)
      return response.writeHead(answer.status).end()
    },
  )
  await once(server.listen(0, 'localhost'), 'listening')
  onTestFinished(() => {
    setDefaultCACertificates(usual)
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return { url: `https://localhost:${port}`, asked, ...certificate }
}
