import type { Address, Connection } from './connection.ts'
import { markerByte, monotonicMs, sentAtMs } from './monotonic.ts'
import { planOf } from './plan.ts'
import type { Tally } from './tally.ts'

/**
 * One kind of request in a run: its model, the size of the prompt in bytes, and the event after which the client hangs
 * up.
 */
export interface Ask {
  model: string
  promptBytes?: number
  hangUpAfter?: number
}

export type PreparedAsk = ReturnType<typeof prepareAsk>

/** Turns an ask into the bytes to send and the response to expect. */
export function prepareAsk(ask: Ask, address: Address, key: string) {
  const plan = planOf(ask.model)
  const content = prose(ask.promptBytes ?? 300)
  const body = JSON.stringify({
    model: ask.model,
    ...(plan.kind === 'stream' ? { stream: true } : {}),
    messages: [{ role: 'user', content }],
  })
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    `Host: ${address.host}:${address.port}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return {
    plan,
    hangUpAfter: ask.hangUpAfter ?? Number.POSITIVE_INFINITY,
    bytes: Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`),
  }
}

const sentence = 'The switchyard keeps every wagon on its own track and counts each one as it leaves. '
/** Words, not one long run of a letter, which would be a special case for a tokenizer. */
const prose = (bytes: number) => sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes)

/**
 * Sends one request and records the outcome; `startedMs` is when the request was due. Calls `done` when the connection
 * is idle again.
 */
export function ask(connection: Connection, asked: PreparedAsk, tally: Tally, startedMs: number, done: () => void) {
  const isStream = asked.plan.kind === 'stream'
  const isPaced = asked.plan.kind === 'stream' && asked.plan.gapMs > 0
  let status = 0
  let events = 0
  let tail: Buffer = Buffer.alloc(0)

  const firstEvent = () => {
    tally.window.firstEvents.push(monotonicMs() - startedMs)
    tally.open += 1
    tally.mostOpen = Math.max(tally.mostOpen, tally.open)
  }
  const countEvents = (piece: Buffer) => {
    const nowMs = monotonicMs()
    for (let at = piece.indexOf(markerByte); at !== -1; at = piece.indexOf(markerByte, at + 1)) {
      if (events === 0) firstEvent()
      events += 1
      tally.window.events += 1
      const sentMs = isPaced ? sentAtMs(piece, at) : undefined
      if (sentMs !== undefined) tally.window.delays.push(nowMs - sentMs)
    }
    tail = piece.length < doneMark.length ? Buffer.concat([tail, piece]).subarray(-32) : piece.subarray(-32)
    if (events >= asked.hangUpAfter) connection.hangUp()
  }

  connection.send(asked.bytes, {
    head: (code) => {
      status = code
    },
    data: (piece) => {
      if (isStream) countEvents(piece)
    },
    end: (isWhole) => {
      if (events > 0) tally.open -= 1
      tally.window.requests += 1
      tally.window.latencies.push(monotonicMs() - startedMs)
      book(asked, tally, { status, events, isWhole: isWhole && (!isStream || tail.includes(doneMark)) })
      done()
    },
  })
}

const doneMark = 'data: [DONE]'

/** Records one outcome: whether it must be billed, whether it failed, and whether it was cut off unexpectedly. */
function book(
  { plan, hangUpAfter }: PreparedAsk,
  tally: Tally,
  got: { status: number; events: number; isWhole: boolean },
) {
  const isAnswer = got.status >= 200 && got.status < 300
  if (isAnswer && (got.isWhole || got.events > 0)) tally.answers += 1
  if (plan.kind === 'refuse' ? isAnswer || got.status === 0 : !isAnswer) countFault(tally, got.status)
  if (!isAnswer) return
  if (plan.kind === 'stream') tally.window.streams += 1
  if (plan.kind === 'stream' && (plan.isCut || got.events >= hangUpAfter)) return
  const isComplete = got.isWhole && (plan.kind !== 'stream' || got.events === plan.events)
  if (isComplete) return
  tally.incomplete += 1
  tally.mention(`an answer broke off after ${got.events} events`)
}

function countFault(tally: Tally, status: number) {
  tally.errors += 1
  tally.mention(status === 0 ? 'a connection broke before an answer' : `an answer had status ${status}`)
}
