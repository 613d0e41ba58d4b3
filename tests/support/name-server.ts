import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { onTestFinished } from 'vitest'

/** The addresses of a name, both families in one list; undefined keeps the server silent. */
type Knows = (name: string) => readonly string[] | undefined

const TYPES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 }

/**
 * A name server on loopback (RFC 1035); `asked` lists the queried names, once for each family. `answerAll` responds to
 * all pending queries that no such name exists.
 */
export async function aNameServer(knows: Knows) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  const unanswered: (() => void)[] = []
  socket.on('message', (query, from) => {
    const { name, end } = nameIn(query)
    asked.push(name)
    const addresses = knows(name)
    const answer = (found: readonly string[]) => void reply(query.subarray(0, end), found, from)
    if (addresses) answer(addresses)
    else unanswered.push(() => answer([]))
  })
  const reply = (question: Buffer, addresses: readonly string[], { port, address }: RemoteInfo) => {
    const type = question.readUInt16BE(question.length - 4)
    const records = addresses.filter((one) => isIP(one) === TYPES[type]).map((one) => recordOf(type, one))
    const head = Buffer.alloc(12)
    question.copy(head, 0, 0, 2)
    head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([head, question.subarray(12), ...records]), port, address)
  }
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    answerAll: () => {
      for (const answer of unanswered.splice(0)) answer()
    },
  }
}

/** The name in the query, and where the question ends. */
function nameIn(query: Buffer): Readonly<{ name: string; end: number }> {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

/** A record for the queried name, valid for a minute. */
function recordOf(type: number, address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
  // The name as a pointer to the question, then type, class, seconds and length.
  const head = Buffer.from('c00c000000010000003c0000', 'hex')
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}
