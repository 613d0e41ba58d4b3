import { sha256 } from '../../base/ids.ts'
import { isObject, present } from '../../base/json/json.ts'
import { UntrustedSet } from '../../base/untrusted-keys.ts'
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

type Portable = Readonly<{ conversation: Conversation; clientTools: ClientTools }>

type Target = Readonly<{
  format: Format | 'own'
  functionsOnly?: boolean
}> &
  Pick<RequestTarget, 'strictOpenai' | 'drop'>

/**
 * Removes what only the client's dialect has in tools: groups become part of the names, names become valid for every
 * vendor, free-text tools become functions unless the target accepts them, and what another part expresses is left out
 * (docs/reference/conversion.md#client-tools). User ids that are too long are hashed.
 */
export function portable(conversation: Conversation, { format, functionsOnly, strictOpenai, drop }: Target): Portable {
  const takesCustom = !functionsOnly && (format === 'responses' || (format === 'openai' && strictOpenai))
  const names = new ToolNames(conversation.tools)
  const tools = toolsOut(conversation.tools, names, takesCustom)
  const writing: Writing = { format, names, takesCustom, drop }
  const turns = withoutPrefill(conversation.turns.flatMap((turn) => turnOut(turn, writing)))
  const { toolChoice } = conversation
  const chosen = toolChoice?.names && { ...toolChoice, names: toolChoice.names.map((name) => names.chosen(name)) }
  const changed = { tools, turns, ...(chosen ? { toolChoice: chosen } : {}), ...fittedUser(conversation, format) }
  return { conversation: { ...conversation, ...changed }, clientTools: names.restored }
}

/**
 * Moves trailing descriptions of work by a vendor's tools to the user: as the model's turn they would be a prefill,
 * which many vendors refuse.
 */
function withoutPrefill(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || !last.parts.some(isDescribedWork)) return turns
  const isWork = last.parts.every((part) => isDescribedWork(part) || part.type === 'reasoning')
  return isWork ? turns.with(-1, { role: 'user', parts: last.parts.filter(isDescribedWork) }) : turns
}

const isDescribedWork = (part: Part): boolean =>
  part.type === 'text' && (part.search !== undefined || part.original?.of === 'gemini')

/** Max characters of a user id (docs/reference/conversion.md#user-names). */
const userLengths: Readonly<Record<Format | 'own', number>> = {
  openai: 64,
  responses: 64,
  anthropic: 256,
  gemini: Number.POSITIVE_INFINITY,
  own: Number.POSITIVE_INFINITY,
}

/** Replaces a user id that is too long with its hash; truncated ids would collide. */
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

type Identity = Readonly<{ name: string; namespace?: string | undefined; shape?: OwnShape | undefined }>

/** The vendor's names of a conversation's tools. A class: one is created for each request. */
class ToolNames {
  /** Keyed by `keyOf`. */
  readonly #known = new Map<string, string>()
  readonly #reserved = new Set<string>()
  /** The vendor's name of the first tool to be restored with each name, in any group. */
  readonly #byName = new Map<string, string>()
  readonly restored = new Map<string, ClientTool>()

  constructor(tools: readonly Tool[]) {
    for (const tool of tools) if (tool.type === 'hosted') this.#reserved.add(HOSTED[tool.kind])
  }

  /** Returns the vendor's name of a declared tool; undefined if a loaded or grouped tool was declared before. */
  declare(tool: ClientSideTool): string | undefined {
    const { name } = tool
    const namespace = groupOf(tool.namespace?.name)
    const own = tool.type === 'function' ? tool.shape : undefined
    const key = keyOf({ name, namespace, shape: own })
    const before = this.#known.get(key)
    // A tool that the client itself declares twice is left for the vendor to report.
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

  #isTaken(wire: string): boolean {
    return this.#reserved.has(wire) || this.restored.has(wire) || this.#known.get(wire) === wire
  }

  /** Returns the vendor's name of a called tool, including one that is no longer declared. */
  called({ name, namespace, shape }: Identity): string {
    const group = groupOf(namespace)
    return this.#known.get(keyOf({ name, namespace: group, shape })) ?? flatName(name, group)
  }

  chosen(name: string): string {
    const own = this.#known.get(keyOf({ name }))
    if (own !== undefined) return own
    return this.#byName.get(name) ?? flatName(name)
  }
}

/** Anthropic's names of the tools it runs. */
const HOSTED = {
  'web-search': 'web_search',
  'code-execution': 'code_execution',
  'url-context': 'web_fetch',
} as const satisfies Record<HostedTool['kind'], string>

/** Tools in the default group are in no group. */
const groupOf = (namespace: string | undefined): string | undefined =>
  namespace === DEFAULT_GROUP ? undefined : namespace

/** Returns the name of a tool without namespace and shape; else namespace, shape and name, separated by line feeds. */
const keyOf = ({ name, namespace, shape }: Identity): string =>
  namespace === undefined && shape === undefined ? name : `${namespace ?? ''}\n${shape ?? ''}\n${name}`

/** Must run before calls and choices are converted, since they refer to the names declared here. */
function toolsOut(tools: readonly Tool[], names: ToolNames, takesCustom: boolean): readonly Tool[] {
  const described = new UntrustedSet<string>()
  return tools.flatMap((tool, index): readonly Tool[] => {
    if (tool.type === 'extra') return tool.isCovered ? [] : [renamed(tool, tools[index - 1], names)]
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

/** An extra that repeats the name of the tool before it gets that tool's vendor name. */
function renamed(extra: ExtraTool, before: Tool | undefined, names: ToolNames): ExtraTool {
  const { value } = extra
  if (before?.type !== 'function' || !isObject(value) || value.name !== before.name) return extra
  return { ...extra, value: { ...value, name: names.called({ name: before.name, shape: before.shape }) } }
}

function grouped({ namespace, description }: ClientSideTool, described: UntrustedSet<string>) {
  if (!namespace?.description || groupOf(namespace.name) === undefined || described.has(namespace.name)) return {}
  described.add(namespace.name)
  return { description: [description ?? '', `(${namespace.name}: ${namespace.description})`].join('\n').trim() }
}

type Writing = Pick<Target, 'format' | 'drop'> & Readonly<{ names: ToolNames; takesCustom: boolean }>

/**
 * Omits a turn with no parts left, since an empty assistant turn at the end would be taken for the beginning of the
 * response. Also omits an assistant turn with only whole items or blocks of dialects other than the target's, and
 * reports these parts.
 */
function turnOut(turn: Turn, { format, names, takesCustom, drop }: Writing): readonly Turn[] {
  if (!turn.parts.some(isSpecial)) return [turn]
  const parts: Part[] = []
  let isSame = true
  const isBlock = (part: Part) => part.type === 'extra' && part.of !== 'openai' && part.of !== format
  for (const part of turn.parts) {
    const converted = partOut(part, names, takesCustom)
    isSame &&= converted === part
    if (converted) parts.push(converted)
  }
  if (parts.length === 0) return []
  if (isSame && !parts.some(isBlock)) return [turn]
  if (turn.role !== 'assistant' || !parts.every(isBlock)) return [{ ...turn, parts }]
  for (const part of parts) if (part.type === 'extra') drop(`content.${part.name}`)
  return []
}

const isSpecial = ({ type }: Part): boolean => type === 'tool-call' || type === 'tool-result' || type === 'extra'

/** Converts a part: returns the same object if unchanged, undefined if it is left out. */
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

const isPlain = ({ custom, original }: ToolCallPart | ToolResultPart): boolean =>
  custom === undefined && original === undefined

function resultOut(part: ToolResultPart, names: ToolNames, takesCustom: boolean): ToolResultPart {
  if (isPlain(part) && (part.name === undefined || names.called({ name: part.name }) === part.name)) return part
  const { custom, original: _, ...result } = part
  const name = part.name === undefined ? undefined : names.called({ name: part.name })
  return present({ ...result, name, custom: takesCustom ? custom : undefined }) as ToolResultPart
}
