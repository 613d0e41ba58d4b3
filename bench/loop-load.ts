import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** One request to send, and its outcome. */
export type Asked = Readonly<{ body: string; way: string; url: string; key: string }>
export type Answered = Readonly<{ status: number; ms: number }>

type Message = Readonly<{ role: string; text: string; image?: string | undefined }>
type Way = Readonly<{ path: string; write: (messages: readonly Message[]) => object }>

const MIB = 1024 * 1024
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAyAAAAJY'

/** Request bodies: inline images, a long agent history, a long text, and an abusive body. */
export const bodies: Readonly<Record<string, () => readonly Message[] | 'bomb'>> = {
  '30 MiB of images': () =>
    Array.from({ length: 6 }, (_, at) => ({
      role: 'user',
      text: `image ${at}`,
      image: PNG + 'A'.repeat(5 * MIB - 32),
    })),
  '10,000 messages': () =>
    Array.from({ length: 10_000 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      text: `"Message" ${at}:\n${'some words of an agent, said before. '.repeat(14)}`,
    })),
  '16 MiB of text': () => [
    { role: 'user', text: 'Words, "quoted" and\nbroken, \u6f22\u5b57 too. '.repeat((16 * MIB) / 45) },
  ],
  '24 MiB of {}': () => 'bomb',
}

const chat = (model: string, stream = false): Way => ({
  path: '/v1/chat/completions',
  write: (messages) => ({
    model,
    stream,
    messages: messages.map(({ role, text, image }) => ({
      role,
      content: image
        ? [
            { type: 'text', text },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
          ]
        : [{ type: 'text', text }],
    })),
  }),
})

/** Calls within a dialect and across two, plain and streamed. `silent` is a vendor that reports no usage. */
export const ways: Readonly<Record<string, Way>> = {
  'chat to chat': chat('talk'),
  'chat to chat, streamed': chat('talk', true),
  'chat to chat, no usage': chat('silent'),
  'chat to messages': chat('claude'),
  'chat to messages, streamed': chat('claude', true),
  'messages to chat': {
    path: '/v1/messages',
    write: (messages) => ({
      model: 'talk',
      max_tokens: 9,
      messages: messages.map(({ role, text, image }) => ({
        role,
        content: [
          ...(image ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }] : []),
          { type: 'text', text },
        ],
      })),
    }),
  },
  'responses to messages': {
    path: '/v1/responses',
    write: (messages) => ({
      model: 'claude',
      input: messages.map(({ role, text, image }) => ({
        role,
        content: [
          ...(image ? [{ type: 'input_image', image_url: `data:image/png;base64,${image}` }] : []),
          { type: role === 'assistant' ? 'output_text' : 'input_text', text },
        ],
      })),
    }),
  },
  'gemini to chat': {
    path: '/v1beta/models/talk:generateContent',
    write: (messages) => ({
      contents: messages.map(({ role, text, image }) => ({
        role: role === 'assistant' ? 'model' : 'user',
        parts: [...(image ? [{ inlineData: { mimeType: 'image/png', data: image } }] : []), { text }],
      })),
    }),
  },
}

function bytesOf({ body, way }: Asked): Buffer {
  const messages = bodies[body]?.() ?? []
  const one = ways[way]
  if (messages === 'bomb' || !one) return Buffer.from(`{"model":"talk","messages":[${'{},'.repeat(8 * MIB)}{}]}`)
  return Buffer.from(JSON.stringify(one.write(messages)))
}

function send(asked: Asked): Promise<Answered> {
  const bytes = bytesOf(asked)
  const path = ways[asked.way]?.path ?? ''
  const headers = {
    authorization: `Bearer ${asked.key}`,
    'content-type': 'application/json',
    'content-length': bytes.length,
  }
  const startedMs = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(asked.url + path, { method: 'POST', headers, agent: false }, (incoming) => {
      incoming.resume()
      const status = incoming.statusCode ?? 0
      incoming.on('close', () => resolve({ status, ms: performance.now() - startedMs }))
    })
    outgoing.on('error', reject)
    outgoing.end(bytes)
  })
}

const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 }
const said = { id: 'c', object: 'chat.completion', created: 1, model: 'talk' }
const claude = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'Hello' }],
}
const claudeUsage = { input_tokens: 9, output_tokens: 2 }

function answer(incoming: IncomingMessage, response: ServerResponse): void {
  let tail = ''
  incoming.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('latin1')).slice(-400)
  })
  let head = ''
  incoming.once('data', (chunk: Buffer) => {
    head = chunk.toString('latin1', 0, 400)
  })
  incoming.on('end', () => {
    const isStream = /"stream":\s*true/.test(head + tail)
    const isClaude = incoming.url?.includes('/messages')
    if (!isStream) {
      const isSilent = head.includes('silent')
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }]
      const chatSaid = isSilent ? { ...said, choices } : { ...said, choices, usage }
      const whole = isClaude ? { ...claude, stop_reason: 'end_turn', usage: claudeUsage } : chatSaid
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const delta = { ...said, object: 'chat.completion.chunk' }
    const choices = [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }]
    const events = isClaude
      ? [
          { type: 'message_start', message: { ...claude, content: [], usage: claudeUsage } },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: claudeUsage },
          { type: 'message_stop' },
        ]
      : [
          { ...delta, choices },
          { ...delta, choices: [], usage },
        ]
    for (const event of events)
      response.write(
        `${isClaude ? `event: ${'type' in event ? event.type : ''}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
      )
    response.end(isClaude ? '' : 'data: [DONE]\n\n')
  })
}

if (workerData?.role === 'load') {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1', () => {
    const at = server.address()
    parentPort?.postMessage(`http://127.0.0.1:${typeof at === 'object' ? at?.port : 0}`)
  })
  parentPort?.on('message', (asked: Asked) => {
    send(asked).then(
      (told) => parentPort?.postMessage(told),
      () => parentPort?.postMessage({ status: 0, ms: 0 }),
    )
  })
}
