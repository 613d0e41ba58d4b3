import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation, MediaPart, Part, ToolCallPart, ToolResultPart, Turn } from '../../formats/conversation.ts'
import { plainText } from '../plain-turns.ts'
import { unsupportedField } from '../vectors.ts'

export const VENDOR = 'Tencent Hunyuan'

type Content = Readonly<{ Type: 'text'; Text: string }> | Readonly<{ Type: 'image_url'; ImageUrl: Json }>
type DraftMessage = { role: string; contents: Content[]; more: Json }

/** Writes `Messages`, merging consecutive ones of a role, since the vendor requires user and assistant to alternate. */
export function messagesOut({ turns }: Conversation, { drop }: RequestTarget): readonly Json[] {
  const drafts: DraftMessage[] = []
  for (const turn of turns) {
    const results = turn.parts.filter((part) => part.type === 'tool-result')
    const calls = turn.parts.filter((part) => part.type === 'tool-call')
    for (const result of results) drafts.push(resultOut(result, drop))
    const contents = contentsOf(turn, drop)
    if (contents.length === 0 && calls.length === 0) continue
    const role = turn.role === 'developer' ? 'system' : turn.role
    const more = calls.length > 0 ? { ToolCalls: calls.map(callOut) } : {}
    const last = drafts.at(-1)
    if (last?.role === role && !('ToolCalls' in last.more)) {
      for (const content of contents) last.contents.push(content)
      last.more = more
    } else drafts.push({ role, contents, more })
  }
  return drafts.map(messageOut)
}

function messageOut({ role: Role, contents, more }: DraftMessage): Json {
  const texts = contents.flatMap((content) => (content.Type === 'text' ? [content.Text] : []))
  if (texts.length < contents.length) return { Role, Contents: contents, ...more }
  return { Role, Content: texts.join('\n'), ...more }
}

function contentsOf(turn: Turn, drop: RequestTarget['drop']): Content[] {
  const contents: Content[] = []
  let texts: Part[] = []
  const flush = () => {
    const text = plainText({ role: turn.role, parts: texts }, VENDOR, drop)
    if (text !== '') contents.push({ Type: 'text', Text: text })
    texts = []
  }
  if (turn.name !== undefined) drop('name')
  for (const part of turn.parts) {
    if (part.type === 'tool-call' || part.type === 'tool-result') continue
    if (part.type === 'media' && part.kind === 'image' && turn.role === 'user') {
      flush()
      contents.push({ Type: 'image_url', ImageUrl: { Url: imageUrl(part) } })
      if (part.detail !== undefined && part.detail !== 'auto') drop('detail')
    } else texts.push(part)
  }
  flush()
  return contents
}

function imageUrl({ source }: MediaPart): string {
  if (source.type === 'url') return source.url
  if (source.type === 'data') return `data:${source.mime};base64,${source.data}`
  throw unsupportedField(VENDOR, 'file')
}

const callOut = ({ id, name, arguments: text, custom }: ToolCallPart): Json => ({
  Id: id,
  Type: 'function',
  Function: { Name: name, Arguments: custom ? JSON.stringify({ input: text }) : text || '{}' },
})

function resultOut({ callId, content, isError }: ToolResultPart, drop: RequestTarget['drop']): DraftMessage {
  if (isError) drop('isError')
  const text = plainText({ role: 'user', parts: content }, VENDOR, drop)
  return { role: 'tool', contents: [{ Type: 'text', Text: text }], more: { ToolCallId: callId } }
}
