import type { ClientTools, Json } from '../../../../gateway/relay/formats/codec.ts'
import type { OwnShape } from '../../../../gateway/relay/formats/conversation.ts'
import { frame, item } from './answers.ts'

/** A call of a tool whose form differs between the client and the vendor. */
export type ClientCall = Readonly<{
  feature: string
  name: string
  input: Json
  /** The client's tools by the vendor's names. */
  clientTools: ClientTools
  /** The client's form of the call, as the only output item. */
  told: Json
}>

const own = (shape: OwnShape): ClientTools => new Map([[shape, { name: shape, shape }]])

const paris = { city: 'Paris' }
const { name: _, ...inGroup } = item.call(0, 'call_1', '', JSON.stringify(paris))

/** Calls of Codex tools, and of OpenAI tools that the client runs. */
export const clientCalls: readonly ClientCall[] = [
  {
    feature: 'Namespaced tool call',
    name: 'mcp__outdoors__weather',
    input: paris,
    clientTools: new Map([
      ['mcp__outdoors__weather', { name: 'weather', namespace: 'mcp__outdoors', shape: 'function' }],
    ]),
    told: { ...inGroup, namespace: 'mcp__outdoors', name: 'weather' },
  },
  {
    feature: 'Call of a tool renamed by the gateway',
    name: 'outdoors_weather_5c97736d',
    input: paris,
    clientTools: new Map([['outdoors_weather_5c97736d', { name: 'outdoors.weather', shape: 'function' }]]),
    told: item.call(0, 'call_1', 'outdoors.weather', JSON.stringify(paris)),
  },
  {
    feature: 'OpenAI local shell call',
    name: 'local_shell',
    input: { command: ['ls'], working_directory: '/src', timeout_ms: 1000 },
    clientTools: own('local_shell'),
    told: {
      id: `lsh_${frame.id}_0`,
      status: 'completed',
      call_id: 'call_1',
      type: 'local_shell_call',
      action: { type: 'exec', command: ['ls'], env: {}, working_directory: '/src', timeout_ms: 1000 },
    },
  },
  {
    feature: 'OpenAI shell call',
    name: 'shell',
    input: { commands: ['ls', 'pwd'] },
    clientTools: own('shell'),
    told: {
      id: `sh_${frame.id}_0`,
      status: 'completed',
      call_id: 'call_1',
      type: 'shell_call',
      action: { commands: ['ls', 'pwd'], timeout_ms: null, max_output_length: null },
    },
  },
  {
    feature: 'OpenAI `apply_patch` call',
    name: 'apply_patch',
    input: { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b' },
    clientTools: own('apply_patch'),
    told: {
      id: `apc_${frame.id}_0`,
      status: 'completed',
      call_id: 'call_1',
      type: 'apply_patch_call',
      operation: { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b' },
    },
  },
  {
    feature: 'Client-run tool search',
    name: 'tool_search',
    input: { query: 'weather', limit: 5 },
    clientTools: own('tool_search'),
    told: {
      id: `tsc_${frame.id}_0`,
      status: 'completed',
      call_id: 'call_1',
      type: 'tool_search_call',
      execution: 'client',
      arguments: { query: 'weather', limit: 5 },
    },
  },
]
