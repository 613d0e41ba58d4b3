import { isObject, type JsonObject, objectIn, objectsIn, own, textIn, written } from '../../../base/json/json.ts'
import { argumentsOut } from '../call-arguments.ts'
import type { FunctionTool, OwnShape, ToolCallPart, ToolResultPart } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { flatName, MAX_GROUP_NAME } from '../tool-names.ts'

/**
 * The equivalent, for other dialects, of a client-run tool that only this dialect has: a function whose arguments are
 * the content of a call's item (OpenAI's guides "Shell", "Local shell", "Apply patch" and "Tool search";
 * docs/reference/conversion.md#client-tools).
 */
type OwnTool = Readonly<{ description: string; parameters: JsonObject }>

const ownTools: Readonly<Record<OwnShape, OwnTool>> = {
  local_shell: {
    description: "Runs a command on the user's machine and returns its output.",
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'array', items: { type: 'string' }, description: 'The program and its arguments.' },
        working_directory: { type: 'string', description: 'The folder to run it in.' },
        timeout_ms: { type: 'integer', description: 'Milliseconds after which it is stopped.' },
      },
      required: ['command'],
    },
  },
  shell: {
    description: "Runs shell commands on the user's machine and returns the output of each.",
    parameters: {
      type: 'object',
      properties: {
        commands: { type: 'array', items: { type: 'string' }, description: 'Command lines; they may run at once.' },
        timeout_ms: { type: 'integer', description: 'Milliseconds after which they are stopped.' },
        max_output_length: { type: 'integer', description: 'The most characters of output to return.' },
      },
      required: ['commands'],
    },
  },
  apply_patch: {
    description:
      'Creates, changes or deletes one file. A change is a diff in the V4A format: sections that begin with "@@" and, ' +
      'where it helps, the line of a function or class they are in, then lines of context that begin with a space, ' +
      'lines to remove that begin with "-" and lines to add that begin with "+". A new file is a diff of added lines alone.',
    parameters: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: { type: 'string', description: 'The path of the file.' },
        diff: { type: 'string', description: 'The diff; none where the file is deleted.' },
      },
      required: ['type', 'path'],
    },
  },
  tool_search: {
    description: 'Searches for tools by what they are to do. Those that are found can be called from then on.',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
}

export function ownToolOf(wire: JsonObject): FunctionTool | undefined {
  const shape = shapeOf(textIn(wire.type))
  if (!shape || isVendorRun(wire, shape)) return undefined
  const known = ownTools[shape]
  return {
    type: 'function',
    name: shape,
    shape,
    description: textIn(wire.description) ?? known.description,
    parameters: isObject(wire.parameters) ? wire.parameters : known.parameters,
    original: { of: 'responses', value: wire },
  }
}

export const shapeOf = (type: string | undefined): OwnShape | undefined => shapes.find((shape) => shape === type)

// The table's keys are exactly the shapes.
const shapes = Object.keys(ownTools) as readonly OwnShape[]

/** Whether the vendor runs a tool of this type: a shell in its own container, a search among tools it has received. */
function isVendorRun({ environment, execution }: JsonObject, shape: OwnShape): boolean {
  if (shape === 'tool_search') return execution !== 'client'
  const environmentType = textIn(objectIn(environment).type)
  return shape === 'shell' && environmentType !== undefined && environmentType !== 'local'
}

/**
 * Whether a tool or call is the vendor's own tool search. Leaving it out is no loss if all tools are declared from the
 * beginning.
 */
export const isVendorsSearch = ({ type, execution }: JsonObject): boolean =>
  type === 'tool_search' && execution !== 'client'

export function ownCallShape(item: JsonObject): OwnShape | undefined {
  const type = textIn(item.type)
  const shape = type?.endsWith('_call') ? shapeOf(type.slice(0, -'_call'.length)) : undefined
  return shape === 'tool_search' && isVendorsSearch({ ...item, type: shape }) ? undefined : shape
}

/**
 * Reads a call of a client-run tool that only this dialect has; undefined for other items. Throws `malformed` if the
 * call has no id.
 */
export function ownCallIn(item: JsonObject): ToolCallPart | undefined {
  const shape = ownCallShape(item)
  if (!shape) return undefined
  const id = textIn(item.call_id) ?? textIn(item.id)
  if (id === undefined) throw malformed('input.call_id')
  const original = { of: 'responses', value: item } as const
  return { type: 'tool-call', id, name: shape, shape, arguments: argumentsIn(item, shape), original }
}

export function argumentsIn(item: JsonObject, shape: OwnShape): string {
  if (shape === 'tool_search')
    return typeof item.arguments === 'string' ? item.arguments : written(item.arguments ?? {})
  if (shape === 'apply_patch') return written(item.operation ?? {})
  const { type: _, env, ...action } = objectIn(item.action)
  const envMember = isObject(env) && Object.keys(env).length > 0 ? { env } : {}
  const members = Object.entries({ ...action, ...envMember }).filter(([, value]) => value !== null)
  return written(Object.fromEntries(members))
}

/**
 * Writes a call of a client-run tool that only this dialect has, as the specific members of its item, from arguments
 * that a model wrote.
 */
export function ownCallOut(shape: OwnShape, json: string): JsonObject {
  const args = argumentsOut(json)
  switch (shape) {
    case 'local_shell': {
      const { command, env, ...rest } = args
      return { type: 'local_shell_call', action: { type: 'exec', command: argv(command), env: objectIn(env), ...rest } }
    }
    case 'shell': {
      const { commands, command, timeout_ms = null, max_output_length = null } = args
      return { type: 'shell_call', action: { commands: lines(commands ?? command), timeout_ms, max_output_length } }
    }
    case 'apply_patch':
      return { type: 'apply_patch_call', operation: operationOf(args) }
    case 'tool_search':
      return { type: 'tool_search_call', execution: 'client', arguments: args }
  }
}

/** Returns a command as a list of arguments; a shell runs a single line, which models may write instead. */
const argv = (command: unknown): unknown => (typeof command === 'string' ? ['bash', '-lc', command] : (command ?? []))

const lines = (commands: unknown): unknown => (typeof commands === 'string' ? [commands] : (commands ?? []))

/** A deleted file has no diff, every other operation has one. */
function operationOf({ type, path, diff }: JsonObject): JsonObject {
  if (type === 'delete_file') return { type, path: path ?? '' }
  return { type: type ?? 'update_file', path: path ?? '', diff: diff ?? '' }
}

export function ownResultIn(item: JsonObject): ToolResultPart | undefined {
  const output = own(readers, textIn(item.type) ?? '')?.(item)
  if (output === undefined) return undefined
  // The oldest of these tools had the id of the call as the item's own id.
  const callId = textIn(item.call_id) ?? (item.type === 'local_shell_call_output' ? textIn(item.id) : undefined)
  if (callId === undefined) return undefined
  const failed = item.type === 'apply_patch_call_output' && item.status === 'failed' ? { isError: true } : {}
  const content = output === '' ? [] : [{ type: 'text' as const, text: output }]
  return { type: 'tool-result', callId, content, ...failed, original: { of: 'responses', value: item } }
}

const readers: Readonly<Record<string, (item: JsonObject) => string>> = {
  local_shell_call_output: ({ output }) => plain(output),
  apply_patch_call_output: ({ output, status }) => plain(output) || (textIn(status) ?? ''),
  shell_call_output: ({ output }) =>
    Array.isArray(output) ? objectsIn(output).map(shellOutput).join('\n') : plain(output),
  tool_search_output: ({ tools }) => {
    const names = objectsIn(tools).flatMap(namesIn)
    return names.length === 0 ? 'No tool was found.' : `These tools can be called now: ${names.join(', ')}`
  },
}

const plain = (output: unknown): string =>
  textIn(output) ?? (output === undefined || output === null ? '' : JSON.stringify(output))

function shellOutput({ stdout, stderr, outcome }: JsonObject): string {
  return [textIn(stdout) ?? '', textIn(stderr) ?? '', endOf(objectIn(outcome))].filter((text) => text !== '').join('\n')
}

function endOf({ type, exit_code: code }: JsonObject): string {
  if (type === 'timeout') return '(stopped: it took too long)'
  return code === 0 || code === undefined ? '' : `(exit code ${code})`
}

/** Returns the names of the tools that an entry of a search result adds, as the model uses them. */
function namesIn(wire: JsonObject): readonly string[] {
  if (typeof wire.name !== 'string') return []
  if (wire.type !== 'namespace') return [flatName(wire.name)]
  const group = groupName(wire)
  return objectsIn(wire.tools).flatMap((tool) => (typeof tool.name === 'string' ? [flatName(tool.name, group)] : []))
}

/** Throws `malformed` if the name is not text or longer than `MAX_GROUP_NAME`. */
export function groupName({ name }: JsonObject): string {
  if (typeof name !== 'string' || name.length > MAX_GROUP_NAME) throw malformed('tools.name')
  return name
}
