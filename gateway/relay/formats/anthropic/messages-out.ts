import type { ModelTraits } from '../../capabilities/claude-models.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, Turn } from '../conversation.ts'
import { instructionsApart, isInstruction } from '../instructions.ts'
import { type Block, blocksOut, contentOut } from './content-out.ts'

/** What stands where the vendor wants something and there is nothing. */
const NOTHING = '...'

type Side = 'user' | 'assistant' | 'system'
type Message = Readonly<{ role: Side; blocks: Block[] }>

/**
 * The wire's `system` and `messages` (docs/reference/conversion.md#openai-to-anthropic). Instructions stay where they stand
 * (docs/reference/conversion.md#append-only).
 */
export function messagesOut(
  { turns, extras }: Conversation,
  { traits, drop }: Readonly<{ traits: ModelTraits; drop: RequestTarget['drop'] }>,
): Readonly<{ system?: unknown; messages: readonly Json[] }> {
  if (turns.some((turn) => turn.name !== undefined)) drop('name')
  const { instructions, said } = instructionsApart(turns)
  const system = instructions.flatMap((turn) => blocksOut(turn, drop))
  const written: readonly Message[] = said
    .map((turn) => ({ role: sideOf(turn), blocks: [...blocksOut(turn, drop)] }))
    // A placeholder of the model's would be the beginning of its answer at the end, and words it never said elsewhere.
    .filter(({ role, blocks }) => role === 'user' || blocks.length > 0)
  const messages: Message[] = []
  // A client of this dialect has put its instructions where they can stand.
  const placed = extras.from === 'anthropic' ? written : withPlaces(written, traits.systemMessages)
  for (const { role, blocks } of placed) append(messages, role, blocks)
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', blocks: [] })
  const wire = messages.map(({ role, blocks }) => messageOut(role, blocks))
  return { ...(system.length > 0 ? { system: contentOut(system) } : {}), messages: wire }
}

/**
 * Messages with instructions where the vendor takes them: right before an answer or at the end, and behind something that
 * the user says ("Mid-conversation system messages"). Elsewhere, and at models that do not know them, the user says them.
 */
function withPlaces(messages: readonly Message[], takesSystem: boolean): readonly Message[] {
  const placed: Message[] = []
  let held: Message[] = []
  const flush = (): void => {
    const role = placed.at(-1)?.role === 'user' ? 'system' : 'user'
    for (const { blocks } of held) placed.push({ role, blocks })
    held = []
  }
  for (const message of messages) {
    if (message.role === 'system' && takesSystem) {
      held.push(message)
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
  const last = messages.findLast(({ role }) => role !== 'system')
  if (last?.role !== 'user' || !blocksOf(last).some((block) => block.type === 'tool_result')) return false
  const before = messages.findLast(({ role }) => role === 'assistant')
  const [first] = before ? blocksOf(before) : []
  return first?.type !== 'thinking' && first?.type !== 'redacted_thinking'
}

const blocksOf = ({ content }: Json): readonly Json[] => (Array.isArray(content) ? content : [])
