import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../support/random.ts'
import { type Act, actOf, type Crowd } from './fuzz-requests.ts'
import { diceOf } from './fuzz-values.ts'

export type FuzzTerms = Readonly<{
  url: string
  crowd: Crowd
  seed: number
  /** The seed determines the acts; a run makes `count` of them, starting with number `from` (default 0). */
  count: number
  from?: number
  /** Concurrent connections. */
  atOnce: number
  /** Milliseconds after which no further act starts. */
  maxMs: number
  /** Maximum milliseconds until a response starts; not checked if undefined. */
  slowestMs?: number
  /**
   * Milliseconds that the gateway has waited for a processor so far, if the system reports it; included in reports of
   * late responses.
   */
  waitedMs?: () => number | undefined
}>

export type FuzzReport = Readonly<{
  acts: number
  statuses: ReadonlyMap<number, number>
  slowestMs: number
  problems: readonly string[]
}>

/** Allowed 5xx: overload, unsupported feature, upstream failure. */
const HONEST: ReadonlySet<number> = new Set([501, 502, 503, 504])
/** Internals that a response must never reveal: stacks, files, statements. */
const INNER = /\bat (async )?[\w.<>]+ \(|\.ts:\d+|node_modules|SQLITE_|sqlite|\/gateway\//
const UNANSWERED_MS = 20_000

/** Sends the acts of a seed to a gateway and checks every response. */
export async function fuzz(terms: FuzzTerms): Promise<FuzzReport> {
  const statuses = new Map<number, number>()
  const problems: string[] = []
  const { from = 0, count } = terms
  const startedMs = performance.now()
  let next = from
  let slowestMs = 0
  const work = async () => {
    while (next < from + count && performance.now() - startedMs < terms.maxMs) {
      const index = next++
      const act = actOf(diceOf(randomFrom(terms.seed * 1_000_003 + index)), terms.crowd)
      const heard = await play(terms, act)
      for (const status of heard.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      slowestMs = Math.max(slowestMs, heard.firstMs)
      for (const problem of problemsOf(act, heard, terms.slowestMs)) problems.push(`#${index} ${act.name}: ${problem}`)
    }
  }
  await Promise.all(Array.from({ length: terms.atOnce }, work))
  return { acts: next - from, statuses, slowestMs, problems }
}

type Heard = Readonly<{
  statuses: readonly number[]
  text: string
  firstMs: number
  /** The part of that time in which the gateway waited for a processor. */
  waitedMs: number | undefined
  isReached: boolean
}>

function problemsOf(
  act: Act,
  { statuses, text, firstMs, waitedMs, isReached }: Heard,
  slowestMs = Number.POSITIVE_INFINITY,
): string[] {
  if (!isReached) return ['the gateway does not listen']
  const bad = statuses.filter((status) => status >= 500 && !HONEST.has(status))
  return [
    ...bad.map((status) => `answered with ${status}: ${text.slice(0, 600)}`),
    ...(INNER.test(text) ? [`tells of its inside: ${text.slice(0, 600)}`] : []),
    ...(act.isAnswered && statuses.length === 0 ? ['never answered'] : []),
    ...(firstMs > slowestMs
      ? [`answered after ${Math.round(firstMs)} ms${waitFor(waitedMs)}: ${text.slice(0, 60)}`]
      : []),
  ]
}

const waitFor = (waitedMs: number | undefined): string =>
  waitedMs === undefined ? '' : ` (${Math.round(waitedMs)} ms of them without a processor)`

/** Plays one act on its own connection. */
async function play(
  { url, waitedMs = () => undefined }: Pick<FuzzTerms, 'url' | 'waitedMs'>,
  act: Act,
): Promise<Heard> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const parts: Buffer[] = []
  let sentMs = 0
  let firstMs = Number.NEGATIVE_INFINITY
  const waitedBefore = waitedMs() ?? 0
  let waited: number | undefined
  let isReached = false
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.on('connect', () => {
    isReached = true
  })
  socket.on('data', (part: Buffer) => {
    if (parts.length === 0) {
      firstMs = performance.now()
      waited = waitedMs()
    }
    parts.push(part)
  })
  for (const [index, piece] of act.pieces.entries()) {
    if (index > 0) await sleep(2)
    if (socket.destroyed) break
    socket.write(piece)
  }
  sentMs = performance.now()
  const isOver = () => performance.now() - sentMs > (act.isAnswered && parts.length === 0 ? UNANSWERED_MS : 120)
  while (!socket.destroyed && !isOver()) await Promise.race([closed, sleep(20)])
  if (!socket.destroyed) socket.resetAndDestroy()
  await closed
  const text = Buffer.concat(parts).toString('latin1')
  // Responses within a socket are frames, which contain no status line.
  const statuses = [...text.matchAll(/(?:^|\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  // An early response must arrive as soon as possible too.
  return {
    statuses,
    text,
    firstMs: Math.max(firstMs - sentMs, 0),
    waitedMs: waited === undefined ? undefined : waited - waitedBefore,
    isReached,
  }
}
