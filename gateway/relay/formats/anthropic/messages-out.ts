import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, Turn } from '../conversation.ts'
import { type Block, blocksOut, contentOut } from './content-out.ts'

/** What stands where the vendor wants something and there is nothing. */
const NOTHING = '...'

type Side = 'user' | 'assistant' | 'system'
type Message = { role: Side; blocks: Block[] }

/**
 * The wire's `system` and `messages` (docs/reference/conversion.md#openai-to-anthropic). Instructions from other
 * dialects go to `system` wherever they stand; those an Anthropic client put between messages stay there.
 */
export function messagesOut(
  { turns, extras }: Conversation,
  drop: RequestTarget['drop'],
): Readonly<{ system?: unknown; messages: readonly Json[] }> {
  if (turns.some((turn) => turn.name !== undefined)) drop('name')
  const system: Block[] = []
  const messages: Message[] = []
  for (const turn of turns) {
    const side = sideOf(turn)
    const blocks = blocksOut(turn, drop)
    // A placeholder of the model's would be the beginning of its answer at the end, and words it never said elsewhere.
    if (side === 'assistant' && blocks.length === 0) continue
    const isInPlace = side !== 'system' || (extras.from === 'anthropic' && messages.length > 0)
    if (isInPlace) append(messages, side, blocks)
    else for (const block of blocks) system.push(block)
  }
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', blocks: [] })
  const written = messages.map(({ role, blocks }) => messageOut(role, blocks))
  return { ...(system.length > 0 ? { system: contentOut(system) } : {}), messages: written }
}

function sideOf({ role }: Turn): Side {
  return role === 'developer' ? 'system' : role
}

/** Adds a turn; turns of one side become one message. */
function append(messages: Message[], role: Side, blocks: readonly Block[]): void {
  const last = messages.at(-1)
  if (last?.role === role) for (const block of blocks) last.blocks.push(block)
  else messages.push({ role, blocks: [...blocks] })
}

/** A message with the results of tools first, as the vendor wants them. */
function messageOut(role: Side, blocks: readonly Block[]): Json {
  const results = blocks.filter((block) => block.type === 'tool_result')
  const rest = blocks.filter((block) => block.type !== 'tool_result')
  return { role, content: blocks.length === 0 ? NOTHING : contentOut([...results, ...rest]) }
}

/**
 * Whether the answer goes on with a turn whose calls the tools have answered, and whose thoughts are not there: the
 * vendor refuses to think with a budget in the middle of such a turn.
 */
export function lacksThoughts(messages: readonly Json[]): boolean {
  const last = messages.at(-1)
  if (last?.role !== 'user' || !blocksOf(last).some((block) => block.type === 'tool_result')) return false
  const before = messages.findLast(({ role }) => role === 'assistant')
  const [first] = before ? blocksOf(before) : []
  return first?.type !== 'thinking' && first?.type !== 'redacted_thinking'
}

const blocksOf = ({ content }: Json): readonly Json[] => (Array.isArray(content) ? content : [])
