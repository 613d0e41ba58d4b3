import type { ModelTraits } from '../../capabilities/claude-models.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, Turn } from '../conversation.ts'
import { instructionsApart, isInstruction } from '../instructions.ts'
import { type Block, blocksOut, contentOut } from './content-out.ts'

/** Placeholder for content that the vendor requires. */
const NOTHING = '...'

type Side = 'user' | 'assistant' | 'system'
type Message = Readonly<{ role: Side; blocks: Block[] }>

/**
 * Writes `system` and `messages` (docs/reference/conversion.md#openai-to-anthropic). Later instructions are not moved
 * to `system` (docs/reference/conversion.md#append-only).
 */
export function messagesOut(
  { turns, extras }: Conversation,
  { traits, drop }: Readonly<{ traits: ModelTraits; drop: RequestTarget['drop'] }>,
): Readonly<{ system?: unknown; messages: readonly Json[] }> {
  if (turns.some((turn) => turn.name !== undefined)) drop('name')
  const { instructions, dialogue } = instructionsApart(turns)
  const system = instructions.flatMap((turn) => blocksOut(turn, drop))
  const written: readonly Message[] = dialogue
    .map((turn) => ({ role: sideOf(turn), blocks: [...blocksOut(turn, drop)] }))
    // A placeholder in an assistant message would be a prefill at the end, and invented words elsewhere.
    .filter(({ role, blocks }) => role === 'user' || blocks.length > 0)
  const messages: Message[] = []
  // A client of this dialect has already put its instructions where they are allowed.
  const placed = extras.from === 'anthropic' ? written : withPlaces(written, traits.systemMessages)
  for (const { role, blocks } of placed) append(messages, role, blocks)
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', blocks: [] })
  const wire = messages.map(({ role, blocks }) => messageOut(role, blocks))
  return { ...(system.length > 0 ? { system: contentOut(system) } : {}), messages: wire }
}

/**
 * Writes instructions as system messages where the vendor accepts them: after a user message, and right before an
 * assistant message or at the end ("Mid-conversation system messages"). Instructions wait for the next assistant
 * message or the end. Without a user message before them, and for models without system messages, they become user
 * messages.
 */
function withPlaces(messages: readonly Message[], takesSystem: boolean): readonly Message[] {
  const placed: Message[] = []
  let waiting: Message[] = []
  const flush = (): void => {
    const role = placed.at(-1)?.role === 'user' ? 'system' : 'user'
    for (const { blocks } of waiting) placed.push({ role, blocks })
    waiting = []
  }
  for (const message of messages) {
    if (message.role === 'system' && takesSystem) {
      waiting.push(message)
      continue
    }
    if (message.role === 'assistant') flush()
    placed.push(message.role === 'system' ? { ...message, role: 'user' } : message)
  }
  flush()
  return placed
}

function sideOf(turn: Turn): Side {
  if (isInstruction(turn)) return 'system'
  return turn.role === 'assistant' ? 'assistant' : 'user'
}

function append(messages: Message[], role: Side, blocks: readonly Block[]): void {
  const last = messages.at(-1)
  if (last?.role === role) for (const block of blocks) last.blocks.push(block)
  else messages.push({ role, blocks: [...blocks] })
}

/** Puts tool results first, as the vendor requires. */
function messageOut(role: Side, blocks: readonly Block[]): Json {
  const results = blocks.filter((block) => block.type === 'tool_result')
  const rest = blocks.filter((block) => block.type !== 'tool_result')
  return { role, content: blocks.length === 0 ? NOTHING : contentOut([...results, ...rest]) }
}

/**
 * Whether the response continues a turn with tool results but without its thinking: the vendor refuses thinking with a
 * budget within such a turn.
 */
export function lacksThoughts(messages: readonly Json[]): boolean {
  const last = messages.findLast(({ role }) => role !== 'system')
  if (last?.role !== 'user' || !blocksOf(last).some((block) => block.type === 'tool_result')) return false
  const before = messages.findLast(({ role }) => role === 'assistant')
  const [first] = before ? blocksOf(before) : []
  return first?.type !== 'thinking' && first?.type !== 'redacted_thinking'
}

const blocksOf = ({ content }: Json): readonly Json[] => (Array.isArray(content) ? content : [])
