import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { ApiCall } from '../../shared/api/call.ts'
import { framesFor, handshakeFor } from './fuzz-frames.ts'
import { consoleCalls, pages, relayRoutes } from './fuzz-routes.ts'
import { type Dice, mangled, oddValue, partOf } from './fuzz-values.ts'

/** Origins of a request: headers with known and unknown identities. */
export type Crowd = Readonly<{ host: string; key: string; session: Readonly<Record<string, string>> }>

/** One connection: the pieces sent over it, and how it ends. */
export type Act = Readonly<{
  /** A description for reports. */
  name: string
  pieces: readonly Buffer[]
  /** Whether the request is complete and closes its connection after the response, which must come. */
  isAnswered: boolean
}>

type Header = readonly [name: string, value: string]
type Draft = { method: string; path: string; headers: Header[]; body: Buffer | undefined }

/** The act that the dice select. */
export function actOf(dice: Dice, crowd: Crowd): Act {
  const kind = dice.below(100)
  if (kind < 4) return garbage(dice)
  if (kind < 16) return upgrade(dice, crowd)
  const draft = kind < 60 ? relayed(dice, crowd) : called(dice, crowd)
  return onTheWire(dice, draft)
}

function garbage(dice: Dice): Act {
  const bytes = Buffer.from(Array.from({ length: 1 + dice.below(300) }, () => dice.below(256)))
  const starts = [
    '',
    'GET ',
    'GET / HTTP/9.9\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  ]
  return {
    name: 'garbage',
    pieces: split(dice, Buffer.concat([Buffer.from(dice.one(starts)), bytes])),
    isAnswered: false,
  }
}

function upgrade(dice: Dice, { host, key }: Crowd): Act {
  const path = dice.one([
    '/v1/realtime?model=gpt-realtime',
    '/v1/responses',
    '/v1/realtime',
    '/api/status',
    '/v1/nowhere',
  ])
  const head = handshakeFor(dice, { path, host: dice.chance(0.1) ? 'evil.example' : host, key })
  return { name: `upgrade ${path}`, pieces: [Buffer.from(head, 'latin1'), ...framesFor(dice)], isAnswered: false }
}

function relayed(dice: Dice, { host, key, session }: Crowd): Draft {
  const { method, path, body, form } = dice.one(relayRoutes)
  const sent = body === undefined ? undefined : mangled(dice, body)
  const [type, bytes] = form ? formOf(dice, sent) : ['application/json', jsonOf(dice, sent)]
  const who = dice.one<Header[]>([
    [['Authorization', `Bearer ${key}`]],
    [['Authorization', `Bearer ${key}`]],
    [['Authorization', `Bearer ${key}`]],
    [['x-api-key', key]],
    [['x-goog-api-key', key]],
    [['Authorization', `Bearer ${key}-1`]],
    [
      [
        'Authorization',
        dice.one(['Bearer', 'Bearer sk-nobody', 'Basic eDp5', '\u00ff', 'sk-', `Bearer ${'x'.repeat(3000)}`]),
      ],
    ],
    [],
  ])
  const signedIn: Header[] = path.startsWith('/pg') && dice.chance(0.7) ? Object.entries(session) : who
  return { method, path, headers: [['Host', host], ...signedIn, ...typed(type, bytes)], body: bytes }
}

function called(dice: Dice, { host, session }: Crowd): Draft {
  if (dice.chance(0.06)) return { method: 'GET', path: dice.one(pages), headers: [['Host', host]], body: undefined }
  const call = dice.one(consoleCalls)
  const bytes = call.body ? jsonOf(dice, near(dice, call, partOf(dice, call.body))) : undefined
  const who: Header[] = dice.chance(0.75) ? Object.entries(session) : []
  const path = pathOf(dice, call)
  return {
    method: call.method,
    path,
    headers: [['Host', host], ...who, ...typed('application/json', bytes)],
    body: bytes,
  }
}

/** Sets a local or invalid address, because a channel without one uses its vendor's; nothing may leave this machine. */
function near(dice: Dice, { path }: ApiCall, body: unknown): unknown {
  const isChannel = path.startsWith('/api/channel') && typeof body === 'object' && body !== null && !Array.isArray(body)
  if (!isChannel) return body
  return {
    ...body,
    base_url: dice.one(['http://127.0.0.1:1', 'http://127.0.0.1:1/v1/', 'x', 'http://[', 'ftp://127.0.0.1']),
  }
}

const typed = (type: string, bytes: Buffer | undefined): Header[] => (bytes ? [['Content-Type', type]] : [])

/** The ids that the run itself needs (1 and 2) are never changed. */
function pathOf(dice: Dice, { path, query }: ApiCall): string {
  const ids = ['0', '3', '4', '-1', '99999', '1e3', '9007199254740993', 'x', '%00', '%zz', '..%2f..', '１', '']
  const filled = path.replace(/:\w+/g, () => dice.one(ids))
  const asked = partOf(dice, query)
  if (typeof asked !== 'object' || asked === null) return filled
  const pairs = Object.entries(asked).map(([name, value]) => `${name}=${textOf(value)}`)
  if (dice.chance(0.2))
    pairs.push(dice.one(['p=-1', 'page_size=1e9', 'keyword=%25%25', 'keyword=%', '&&&', 'a[b]=c', '__proto__=1']))
  return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled
}

const textOf = (value: unknown) =>
  encodeURIComponent(
    String(JSON.stringify(value) ?? '')
      .slice(0, 2000)
      .toWellFormed(),
  )

function jsonOf(dice: Dice, value: unknown): Buffer | undefined {
  if (value === undefined) return undefined
  const text = JSON.stringify(value) ?? 'null'
  if (!dice.chance(0.12)) return Buffer.from(text)
  return dice.one([
    () => Buffer.from(text.slice(0, dice.below(text.length))),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
    () => Buffer.from(text.replace('{', '{"model":"gpt-4o","model":1,')),
    () => Buffer.from('['.repeat(20_000)),
    () => Buffer.from(`{"model":"gpt-4o","messages":${'{"a":'.repeat(3000)}1`),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.alloc(0),
    () => Buffer.from(Array.from({ length: 200 }, () => dice.below(256))),
  ])()
}

function formOf(dice: Dice, value: unknown): [string, Buffer] {
  const boundary = dice.one(['b', 'x'.repeat(70), '----a'])
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const parts = fields.map(([name, field]) => {
    const isFile = name === 'image' || name === 'file'
    const kind = isFile
      ? `; filename="${dice.one(['a.wav', 'a.png', '../x', '', '\\"'])}"\r\nContent-Type: ${dice.one(['image/png', 'audio/wav', 'x'])}`
      : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${kind}\r\n\r\n${typeof field === 'string' ? field : JSON.stringify(field)}\r\n`
  })
  const text = `${parts.join('')}${dice.chance(0.85) ? `--${boundary}--\r\n` : ''}`
  const said = dice.chance(0.9) ? `; boundary=${boundary}` : dice.one(['', '; boundary=', '; boundary="', ';;'])
  return [
    `multipart/form-data${said}`,
    Buffer.from(dice.chance(0.9) ? text : text.slice(0, dice.below(text.length + 1))),
  ]
}

const oddHeaders: readonly Header[] = [
  ['Accept-Language', 'zh-CN;q=abc,*;q=9'],
  ['Accept-Language', 'x'.repeat(500)],
  ['Accept-Encoding', 'gzip, br;q=1.0, *;q=0'],
  ['X-Forwarded-For', '1.2.3.4, ::1, , %'],
  ['X-Forwarded-Proto', 'https,http'],
  ['Origin', 'null'],
  ['Origin', 'http://evil.example'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Cookie', 'session=\u00ff; session=; =; a'],
  ['New-Api-User', '-1'],
  ['New-Api-User', '1e99'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '"*"'],
  ['TE', 'trailers'],
  ['Upgrade', 'h2c'],
  ['User-Agent', '\u0001'.replace('\u0001', 'é'.repeat(300))],
  ['anthropic-version', '1'],
  ['anthropic-beta', 'x'.repeat(3000)],
  ['openai-organization', 'ü'],
  ['Expect', '100-continue'],
  ['Expect', 'the-unexpected'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', 'multipart/form-data'],
  ['Content-Type', 'x'],
  ['X-Junk', 'y'.repeat(9000)],
  ['mj-api-secret', 'x'],
]

/** A draft as bytes, sometimes not quite valid HTTP. */
function onTheWire(dice: Dice, draft: Draft): Act {
  const name = `${draft.method} ${draft.path.slice(0, 80)}`
  const method = dice.chance(0.05)
    ? dice.one(['HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PUT', 'DELETE', 'PROPFIND', 'BREW'])
    : draft.method
  const path = dice.chance(0.06) ? oddPath(dice, draft.path) : draft.path
  const headers = dice.chance(0.25) ? [...draft.headers, dice.one(oddHeaders)] : draft.headers
  const [encoding, body] = packed(dice, draft.body)
  if (dice.chance(0.06)) return broken(dice, `${name} (broken)`, { method, path, headers, body })
  const [framing, framed] = dice.chance(0.15) ? chunked(dice, body) : counted(body)
  const lines = [...headers, ...encoding, ...framing, ['Connection', 'close'] as const]
  const bytes = Buffer.concat([headOf(method, path, lines), framed])
  // A method that does not exist and a space in a path are refused by the parser.
  return { name, pieces: split(dice, bytes), isAnswered: true }
}

const headOf = (method: string, path: string, headers: readonly Header[]): Buffer =>
  Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    'latin1',
  )

const counted = (body: Buffer | undefined): [Header[], Buffer] =>
  body ? [[['Content-Length', String(body.length)]], body] : [[], Buffer.alloc(0)]

function chunked(dice: Dice, body: Buffer = Buffer.alloc(0)): [Header[], Buffer] {
  const cut = dice.below(body.length + 1)
  const chunks = [body.subarray(0, cut), body.subarray(cut)].filter(({ length }) => length > 0)
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ])
  return [[['Transfer-Encoding', 'chunked']], Buffer.concat([...framed, Buffer.from('0\r\n\r\n')])]
}

/** Encodes a body as its header says, or otherwise. */
function packed(dice: Dice, body: Buffer | undefined): [Header[], Buffer | undefined] {
  if (!body || !dice.chance(0.08)) return [[], body]
  const how = dice.one(['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'bomb'])
  if (how === 'bomb') return [[['Content-Encoding', 'gzip']], gzipSync(Buffer.alloc(3_000_000, ' '))]
  if (dice.chance(0.3)) return [[['Content-Encoding', how]], body]
  if (how === 'gzip') return [[['Content-Encoding', how]], gzipSync(body)]
  if (how === 'deflate') return [[['Content-Encoding', how]], deflateSync(body)]
  return [[['Content-Encoding', how]], brotliCompressSync(body)]
}

const oddPath = (dice: Dice, path: string): string =>
  dice.one([
    `${path}/`,
    `/${path}`,
    path.replace('/', '/%2e%2e/'),
    `${path}%`,
    `${path}%ff%00`,
    `${path}?${'a=b&'.repeat(300)}`,
    `${path}${'/x'.repeat(300)}`,
    `http://127.0.0.1${path}`,
    `http://[${path}`,
    `http://${path}`,
    path.toUpperCase(),
    `${path}\u00e4`,
    `${path}#x`,
    `${path};a=b`,
    path.replace('gpt-4o', textOf(oddValue(dice)).slice(0, 500)),
  ])

/** A request that stops short, contradicts itself, or comes twice. */
function broken(dice: Dice, name: string, { method, path, headers, body = Buffer.from('{}') }: Draft): Act {
  const length: Header = ['Content-Length', String(body.length)]
  const whole = Buffer.concat([headOf(method, path, [...headers, length]), body])
  const bytes = dice.one([
    () => whole.subarray(0, dice.below(whole.length)),
    () => Buffer.concat([headOf(method, path, [...headers, length, ['Transfer-Encoding', 'chunked']]), body]),
    () => Buffer.concat([headOf(method, path, [...headers, ['Content-Length', '99999']]), body]),
    () => Buffer.concat([headOf(method, path, [...headers, ['Content-Length', '-1']]), body]),
    () =>
      Buffer.concat([headOf(method, path, [...headers, ['Transfer-Encoding', 'chunked']]), Buffer.from('zz\r\n{}')]),
    () => Buffer.concat([headOf(method, path, [...headers, ['Host', 'a'], length]), body]),
    () => Buffer.concat([headOf(method, path, [['X-A\u0000', 'b'], ...headers, length]), body]),
    () =>
      headOf(method, path, [
        ...headers,
        ...Array.from({ length: 300 }, (_, index): Header => [`X-${index}`, 'y'.repeat(60)]),
      ]),
    () => Buffer.concat([whole, whole, whole]),
    () => Buffer.concat(Array.from({ length: 30 }, () => whole)),
  ])()
  return { name, pieces: split(dice, bytes), isAnswered: false }
}

function split(dice: Dice, bytes: Buffer): Buffer[] {
  if (bytes.length < 2 || !dice.chance(0.2)) return [bytes]
  const cut = 1 + dice.below(bytes.length - 1)
  return [bytes.subarray(0, cut), bytes.subarray(cut)]
}
