import { sha256 } from '../../base/ids.ts'
import { isObject, present } from '../../base/json/json.ts'
import type { ClientTool, ClientTools, RequestTarget } from './codec.ts'
import type {
  Conversation,
  CustomTool,
  ExtraTool,
  FunctionTool,
  HostedTool,
  OwnShape,
  Part,
  Tool,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from './conversation.ts'
import type { Format } from './format.ts'
import { asFunction, wrapped } from './free-text.ts'
import { DEFAULT_GROUP, flatName, hashedName } from './tool-names.ts'

/** A conversation as another dialect's vendor takes it, and the client's tools by the names they have there. */
type Portable = Readonly<{ conversation: Conversation; clientTools: ClientTools }>

/** For whom it is made: the vendor's dialect, or a wire of its own. */
type Abroad = Readonly<{
  format: Format | 'own'
  /** Tools that take free text go as functions even where the dialect has them. */
  functionsOnly?: boolean
}> &
  Pick<RequestTarget, 'strictOpenai' | 'drop'>

/**
 * The conversation without what only its client's dialect has in tools: groups are in the names, names are such as every
 * vendor takes, tools for free text are functions but for OpenAI, and what is said otherwise is left out
 * (docs/reference/conversion.md#tools-of-clients).
 */
export function portable(conversation: Conversation, { format, functionsOnly, strictOpenai, drop }: Abroad): Portable {
  const takesCustom = !functionsOnly && (format === 'responses' || (format === 'openai' && strictOpenai))
  const names = new ToolNames(conversation.tools)
  const tools = toolsOut(conversation.tools, names, takesCustom)
  const writing: Writing = { names, takesCustom, drop }
  const turns = withoutPrefill(conversation.turns.flatMap((turn) => turnOut(turn, writing)))
  const { toolChoice } = conversation
  const chosen = toolChoice?.names && { ...toolChoice, names: toolChoice.names.map((name) => names.chosen(name)) }
  const changed = { tools, turns, ...(chosen ? { toolChoice: chosen } : {}), ...fittedUser(conversation, format) }
  return { conversation: { ...conversation, ...changed }, clientTools: names.restored }
}

/**
 * What the vendor's own tools did is told as the user's where it comes last: as the model's it would be the beginning of its
 * answer, which many refuse.
 */
function withoutPrefill(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || !last.parts.some(isToldWork)) return turns
  const isWork = last.parts.every((part) => isToldWork(part) || part.type === 'reasoning')
  return isWork ? turns.with(-1, { role: 'user', parts: last.parts.filter(isToldWork) }) : turns
}

/** Whether a part tells in words of a search that a vendor ran, or of code. */
const isToldWork = (part: Part): boolean =>
  part.type === 'text' && (part.search !== undefined || part.original?.of === 'gemini')

/** Characters that a vendor takes as its user (docs/reference/conversion.md#names-of-users). */
const userLengths: Readonly<Record<Format | 'own', number>> = {
  openai: 64,
  responses: 64,
  anthropic: 256,
  gemini: Number.POSITIVE_INFINITY,
  own: Number.POSITIVE_INFINITY,
}

/** A user whose name is too long is known by its hash: cut, many would be one. */
function fittedUser(
  { user, shared }: Conversation,
  format: Format | 'own',
): Partial<Pick<Conversation, 'user' | 'shared'>> {
  const max = userLengths[format]
  const { safety_identifier: safety } = shared
  return {
    ...(user !== undefined && user.length > max ? { user: sha256(user) } : {}),
    ...(typeof safety === 'string' && safety.length > max
      ? { shared: { ...shared, safety_identifier: sha256(safety) } }
      : {}),
  }
}

type ClientSideTool = FunctionTool | CustomTool

/** What tells a tool from others of its name. */
type Identity = Readonly<{ name: string; namespace?: string | undefined; shape?: OwnShape | undefined }>

/** The names of a conversation's tools, as the vendor knows them. A class: one is made for every request. */
class ToolNames {
  /** By what tells them apart. */
  readonly #known = new Map<string, string>()
  /** Names of the vendor's own tools. */
  readonly #reserved = new Set<string>()
  /** The first tool of each name, in whatever group. */
  readonly #byName = new Map<string, string>()
  readonly restored = new Map<string, ClientTool>()

  /** The vendor's own tools have names, which no other may have. */
  constructor(tools: readonly Tool[]) {
    for (const tool of tools) if (tool.type === 'hosted') this.#reserved.add(HOSTED[tool.kind])
  }

  /** The vendor's name of a tool that is declared; undefined where it comes along although it has been declared before. */
  declare(tool: ClientSideTool): string | undefined {
    const { name } = tool
    const namespace = groupOf(tool.namespace?.name)
    const own = tool.type === 'function' ? tool.shape : undefined
    const key = keyOf({ name, namespace, shape: own })
    const before = this.#known.get(key)
    // A client that declares one twice in its request may hear of it from the vendor.
    if (before !== undefined) return tool.isLoaded || tool.namespace ? undefined : before
    const flat = flatName(name, namespace)
    const wire = this.#isTaken(flat) ? hashedName(key) : flat
    this.#known.set(key, wire)
    const shape = tool.type === 'custom' ? 'custom' : (own ?? 'function')
    if (wire !== name || shape !== 'function' || namespace !== undefined) {
      if (!this.#byName.has(name)) this.#byName.set(name, wire)
      this.restored.set(wire, { name, ...(namespace === undefined ? {} : { namespace }), shape })
    }
    return wire
  }

  /** A name is the vendor's own, one that stands for another, or a tool's that is called so anyway. */
  #isTaken(wire: string): boolean {
    return this.#reserved.has(wire) || this.restored.has(wire) || this.#known.get(wire) === wire
  }

  /** The vendor's name of a tool that was called: of one that is not declared any more as well. */
  called({ name, namespace, shape }: Identity): string {
    const group = groupOf(namespace)
    return this.#known.get(keyOf({ name, namespace: group, shape })) ?? flatName(name, group)
  }

  /** The vendor's name of a tool that is pointed at by its name alone. */
  chosen(name: string): string {
    const own = this.#known.get(keyOf({ name }))
    if (own !== undefined) return own
    return this.#byName.get(name) ?? flatName(name)
  }
}

/** What Anthropic calls the tools it runs. */
const HOSTED = {
  'web-search': 'web_search',
  'code-execution': 'code_execution',
  'url-context': 'web_fetch',
} as const satisfies Record<HostedTool['kind'], string>

/** A tool in the group of those that are in none is in none. */
const groupOf = (namespace: string | undefined): string | undefined =>
  namespace === DEFAULT_GROUP ? undefined : namespace

/** Line ends, which no name has, keep the three apart. */
const keyOf = ({ name, namespace, shape }: Identity): string =>
  namespace === undefined && shape === undefined ? name : `${namespace ?? ''}\n${shape ?? ''}\n${name}`

/** What the tools are called goes first: calls and choices refer to it. */
function toolsOut(tools: readonly Tool[], names: ToolNames, takesCustom: boolean): readonly Tool[] {
  const described = new Set<string>()
  return tools.flatMap((tool, place): readonly Tool[] => {
    if (tool.type === 'extra') return tool.isCovered ? [] : [renamed(tool, tools[place - 1], names)]
    if (tool.type === 'hosted') return [tool]
    const wire = names.declare(tool)
    if (wire === undefined) return []
    const { namespace, isLoaded: _, original: __, ...plain } = tool
    const flat = { ...plain, name: wire, ...grouped(tool, described) }
    if (flat.type === 'custom') return [takesCustom ? flat : asFunction(flat)]
    const { shape: ___, ...own } = flat
    return [own]
  })
}

/** What a dialect has besides of the tool before it names that tool, which may have another name here. */
function renamed(extra: ExtraTool, before: Tool | undefined, names: ToolNames): ExtraTool {
  const { value } = extra
  if (before?.type !== 'function' || !isObject(value) || value.name !== before.name) return extra
  return { ...extra, value: { ...value, name: names.called({ name: before.name, shape: before.shape }) } }
}

/** What a group is for is told once, with the first of its tools. */
function grouped({ namespace, description }: ClientSideTool, described: Set<string>) {
  if (!namespace?.description || groupOf(namespace.name) === undefined || described.has(namespace.name)) return {}
  described.add(namespace.name)
  return { description: [description ?? '', `(${namespace.name}: ${namespace.description})`].join('\n').trim() }
}

type Writing = Readonly<{ names: ToolNames; takesCustom: boolean; drop: RequestTarget['drop'] }>

/**
 * A turn, unless nothing is left of it. Nothing must stand for what the model did where that cannot be told: an empty turn
 * of its own at the end would be taken for the beginning of its answer.
 */
function turnOut(turn: Turn, { names, takesCustom, drop }: Writing): readonly Turn[] {
  if (!turn.parts.some(isSpecial)) return [turn]
  const parts: Part[] = []
  let isSame = true
  for (const part of turn.parts) {
    const told = partOut(part, names, takesCustom)
    isSame &&= told === part
    if (told) parts.push(told)
  }
  if (parts.length === 0) return []
  if (isSame && !parts.some(isBlock)) return [turn]
  if (turn.role !== 'assistant' || !parts.every(isBlock)) return [{ ...turn, parts }]
  for (const part of parts) if (part.type === 'extra') drop(`content.${part.name}`)
  return []
}

const isSpecial = ({ type }: Part): boolean => type === 'tool-call' || type === 'tool-result' || type === 'extra'

/** What stands for a whole item or block that only its own dialect knows, rather than a member beside a message. */
const isBlock = (part: Part): boolean => part.type === 'extra' && part.of !== 'openai'

/** A part as others are told it: the same object where nothing of it is otherwise, undefined where it is left out. */
function partOut(part: Part, names: ToolNames, takesCustom: boolean): Part | undefined {
  if (part.type === 'tool-call') return callOut(part, names, takesCustom)
  if (part.type === 'tool-result') return resultOut(part, names, takesCustom)
  return part.type === 'extra' && part.isCovered ? undefined : part
}

function callOut(part: ToolCallPart, names: ToolNames, takesCustom: boolean): ToolCallPart {
  if (isPlain(part) && part.namespace === undefined && part.shape === undefined && names.called(part) === part.name)
    return part
  const { namespace: _, shape: __, original: ___, custom, ...call } = part
  const name = names.called(part)
  if (!custom) return { ...call, name }
  return takesCustom ? { ...call, name, custom } : { ...call, name, arguments: wrapped(call.arguments) }
}

/** Whether a call or a result has nothing that its own dialect alone knows. */
const isPlain = ({ custom, original }: ToolCallPart | ToolResultPart): boolean =>
  custom === undefined && original === undefined

function resultOut(part: ToolResultPart, names: ToolNames, takesCustom: boolean): ToolResultPart {
  if (isPlain(part) && (part.name === undefined || names.called({ name: part.name }) === part.name)) return part
  const { custom, original: _, ...result } = part
  const name = part.name === undefined ? undefined : names.called({ name: part.name })
  return present({ ...result, name, custom: takesCustom ? custom : undefined }) as ToolResultPart
}
