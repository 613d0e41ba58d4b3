import { isIPv4, isIPv6, type Socket } from 'node:net'

/** Where a tunnel leads, and who asks for it. */
export type Tunnel = Readonly<{ host: string; port: number; user: string; password: string }>

const VERSION = 5
const NO_AUTHENTICATION = 0
const PASSWORD = 2
const CONNECT = 1

/**
 * Asks a SOCKS5 proxy (RFC 1928, passwords by RFC 1929) for a tunnel; the proxy resolves names. Rejects with what the
 * proxy refused, or when it says nothing within `waitMs`.
 */
export async function socksTunnel(socket: Socket, { host, port, user, password }: Tunnel, waitMs: number) {
  const read = reader(socket, waitMs)
  const methods = user === '' ? [NO_AUTHENTICATION] : [NO_AUTHENTICATION, PASSWORD]
  socket.write(Buffer.from([VERSION, methods.length, ...methods]))
  const [version, method] = await read(2)
  if (version !== VERSION || method === undefined || !methods.includes(method))
    throw new Error('the proxy takes no such sign-in')
  if (method === PASSWORD) await signIn(socket, read, user, password)
  socket.write(Buffer.concat([Buffer.from([VERSION, CONNECT, 0]), addressOf(host), portOf(port)]))
  const [, reply, , kind] = await read(4)
  if (reply !== 0) throw new Error(`the proxy refused the tunnel (${reply})`)
  await read((await boundLength(kind, read)) + 2)
}

/** Reads exactly so many bytes. */
type Read = (length: number) => Promise<Buffer>

/** User and password in the clear, as RFC 1929 has it. */
async function signIn(socket: Socket, read: Read, user: string, password: string): Promise<void> {
  socket.write(Buffer.concat([Buffer.from([1]), counted(user), counted(password)]))
  const [, status] = await read(2)
  if (status !== 0) throw new Error('the proxy refused user and password')
}

/** Kinds of addresses. */
const IPV4 = 1
const NAME = 3
const IPV6 = 4

function addressOf(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([IPV4, ...host.split('.').map(Number)])
  const bare = host.replace(/^\[|\]$/g, '')
  return isIPv6(bare) ? Buffer.from([IPV6, ...groupsOf(bare)]) : Buffer.concat([Buffer.from([NAME]), counted(host)])
}

/** The sixteen bytes of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [front = '', back] = address.split('::')
  const words = (part: string) => part.split(':').filter(Boolean)
  const [before, after] = [words(front), words(back ?? '')]
  const gap = back === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...gap, ...after].flatMap((word) => [
    Number.parseInt(word, 16) >> 8,
    Number.parseInt(word, 16) & 255,
  ])
}

/** Numbers go with their high byte first, texts behind their length. */
const portOf = (port: number): Buffer => Buffer.from([port >> 8, port & 255])

function counted(text: string): Buffer {
  const bytes = Buffer.from(text).subarray(0, 255)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

/** How long the address is at which the proxy's own end is bound; nobody needs it. */
async function boundLength(kind: number | undefined, read: Read): Promise<number> {
  if (kind === IPV4) return 4
  if (kind === IPV6) return 16
  return (await read(1))[0] ?? 0
}

/** Reads exactly so many bytes; what comes after them stays in the socket. */
function reader(socket: Socket, waitMs: number): Read {
  return (length) =>
    new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer)
        socket.off('readable', look).off('close', gone).off('error', gone)
        settle()
      }
      const look = () => {
        const bytes: unknown = length === 0 ? Buffer.alloc(0) : socket.read(length)
        if (Buffer.isBuffer(bytes)) done(() => resolve(bytes))
      }
      const gone = () => done(() => reject(new Error('the proxy hung up')))
      const timer = setTimeout(() => done(() => reject(new Error('the proxy did not answer in time'))), waitMs)
      socket.on('readable', look).on('close', gone).on('error', gone)
      look()
    })
}
