import { createServer, type Socket } from 'node:net'
import { listen } from './listen.ts'
import { sendStamp } from './monotonic.ts'
import { type Plan, planOf } from './plan.ts'

/**
 * A fake OpenAI-style upstream on bare sockets, so that it is never the bottleneck. It knows only
 * POST …/chat/completions; the model name says what happens (plan.ts). Each event carries its send time.
 */
listen(createServer({ noDelay: true }, serve))

interface Asked {
  path: string
  plan: Plan
  wantsUsage: boolean
}

/** One connection: reads a complete request with a Content-Length, then responds; no pipelining. */
function serve(socket: Socket) {
  let pending: Buffer = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk
    const headEnd = pending.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const head = pending.toString('latin1', 0, headEnd)
    const bodyStart = headEnd + 4
    const bodyEnd = bodyStart + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (pending.length < bodyEnd) return
    const asked = read(head, pending.subarray(bodyStart, bodyEnd))
    pending = pending.subarray(bodyEnd)
    answer(socket, asked)
  })
}

/** The model comes first in the bodies that the bench sends; the rest is searched only when a proxy has moved it. */
function read(head: string, body: Buffer): Asked {
  const path = head.slice(0, head.indexOf('\r\n')).split(' ')[1] ?? ''
  const plan = planOf(modelIn(body.toString('latin1', 0, 4096)) ?? modelIn(body.toString('latin1')) ?? '')
  return {
    path,
    plan,
    wantsUsage: plan.kind === 'stream' && /"include_usage"\s*:\s*true/.test(body.toString('latin1')),
  }
}

const modelIn = (text: string) => /"model"\s*:\s*"([^"]+)"/.exec(text)?.[1]

function answer(socket: Socket, { path, plan, wantsUsage }: Asked) {
  if (!path.endsWith('/chat/completions')) return socket.write(refusal(404))
  if (plan.kind === 'refuse') return socket.write(refusal(plan.status))
  if (plan.kind === 'plain') return socket.write(nextPlainAnswer())
  return stream(socket, plan, wantsUsage)
}

const jsonMessage = (status: string, body: string) =>
  Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )

const refusal = (status: number) =>
  jsonMessage(`${status} Refused`, '{"error":{"message":"refused by the bench","type":"server_error","code":null}}')

const usageOf = (prompt: number) => ({
  prompt_tokens: prompt,
  completion_tokens: 20,
  total_tokens: prompt + 20,
  prompt_tokens_details: { cached_tokens: 0 },
})

const plainBody = (prompt: number) =>
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'bench-json',
    choices: [{ index: 0, message: { role: 'assistant', content: 'All is well. '.repeat(8) }, finish_reason: 'stop' }],
    usage: usageOf(prompt),
  })

/** Responses differ in usage, so that a batch of the ledger has rows of different prices. */
const plainAnswers = Array.from({ length: 64 }, (_, index) => jsonMessage('200 OK', plainBody(20 + index)))
let answered = 0

function nextPlainAnswer(): Buffer {
  answered = (answered + 1) % plainAnswers.length
  return plainAnswers[answered] ?? refusal(500)
}

const eventHead = 'data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench",'
const streamHead =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n'
const usageEvent = `${eventHead}"choices":[],"usage":${JSON.stringify(usageOf(30))}}\n\n`

const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

const deltaNow = () =>
  `${eventHead}"choices":[{"index":0,"delta":{"content":"${sendStamp()}"},"finish_reason":null}]}\n\n`

/**
 * Writes `burst` events per turn, one turn every `gapMs` or as fast as the peer reads; a cut stream ends without its
 * last chunk.
 */
function stream(socket: Socket, plan: Extract<Plan, { kind: 'stream' }>, wantsUsage: boolean) {
  let left = plan.events
  const later = plan.gapMs > 0 ? (step: () => void) => setTimeout(step, plan.gapMs) : setImmediate
  const turn = () => {
    if (socket.destroyed) return
    const now = Math.min(plan.burst, left)
    left -= now
    const isFlowing = socket.write(chunkOf(deltaNow().repeat(now)), 'latin1')
    const next = left > 0 ? turn : end
    if (isFlowing) later(next)
    else socket.once('drain', () => later(next))
  }
  const end = () => {
    if (plan.isCut) return socket.destroy()
    const tail = `${wantsUsage ? usageEvent : ''}data: [DONE]\n\n`
    return socket.write(`${chunkOf(tail)}0\r\n\r\n`, 'latin1')
  }
  socket.write(streamHead, 'latin1')
  turn()
}
