import { request } from 'node:http'
import type { Person, World } from './world.ts'

/**
 * Sends a request and disconnects as soon as `isEnough` is true of the text received so far; otherwise reads to the
 * end. Returns the text received.
 */
export async function leaveAt(
  world: World,
  person: Person,
  path: string,
  body: object,
  isEnough: (received: string) => boolean,
): Promise<string> {
  const headers = { authorization: `Bearer ${await person.key()}`, 'content-type': 'application/json' }
  let received = ''
  await new Promise<void>((resolve) => {
    const outgoing = request(world.url + path, { method: 'POST', headers, agent: false })
    outgoing.on('error', () => {}).on('close', resolve)
    outgoing.on('response', (incoming) => {
      incoming.on('error', () => {})
      incoming.on('data', (part) => {
        received += part
        if (isEnough(received)) outgoing.destroy()
      })
    })
    outgoing.end(JSON.stringify(body))
  })
  return received
}
