import {
  type AnswerFrame,
  type Json,
  NO_CLIENT_TOOLS,
  type RequestTarget,
} from '../../../../../gateway/relay/formats/codec.ts'
import type { Conversation, Part, Turn } from '../../../../../gateway/relay/formats/conversation.ts'

/** A conversation in OpenAI's dialect with one message, with the given changes. */
export const asked = (changes: Partial<Conversation> = {}): Conversation => ({
  model: 'claude',
  stream: false,
  turns: [said('user', 'Hello')],
  tools: [],
  shared: {},
  extras: { from: 'openai', fields: {} },
  ...changes,
})

export const said = (role: Turn['role'], content: string | readonly Part[]): Turn => ({
  role,
  parts: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
})

/** A target with default settings; `dropped` collects the reported losses. */
export function targetOf(model: string, limits: Record<string, number> = { default: 8192 }) {
  const dropped = new Set<string>()
  const target: RequestTarget = {
    model,
    streamOptions: false,
    cacheMarks: false,
    strictOpenai: false,
    settings: { claudeMaxTokens: limits, geminiSafety: {}, geminiImageModels: [] },
    drop: (name) => dropped.add(name),
  }
  return { target, dropped }
}

/** The frame of a response to a client that requested `claude-sonnet-4-5`. */
export const frame: AnswerFrame = {
  id: 'abc',
  model: 'claude-sonnet-4-5',
  created: 1_763_700_000,
  wantsUsage: false,
  promptTokens: () => 12,
  request: {},
  clientTools: NO_CLIENT_TOOLS,
}

/** The payloads of server-sent events; checks that each event's name equals its type. */
export function payloadsOf(stream: string): Json[] {
  return stream
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [head = '', data = 'null'] = block.split('\ndata: ')
      const payload = JSON.parse(data)
      if (head !== `event: ${payload.type}`) throw new Error(`${head} holds ${payload.type}`)
      return payload
    })
}
