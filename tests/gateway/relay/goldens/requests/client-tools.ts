import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../../gateway/relay/formats/format.ts'
import { type Outcome, pairs, type RequestGolden } from '../golden.ts'
import { anthropic, city, gemini, openai, responses } from '../requests.ts'
import { ownFunctions } from './own-functions.ts'

type Declared = Readonly<{ name: string; description?: string; parameters: Json }>

/** A call of a function and its result. */
type Round = Readonly<{ name: string; input: Json; result: string }>

const hello = { role: 'user', content: 'Hello' }

/** The plain request with functions and earlier calls of them, in each dialect. */
const told = (tools: readonly Declared[], rounds: readonly Round[] = []): Readonly<Record<Format, Json>> => ({
  openai: openai({
    messages: [
      hello,
      ...rounds.flatMap(({ name, input, result }, index) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: `call_${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
        },
        { role: 'tool', tool_call_id: `call_${index}`, content: result },
      ]),
    ],
    ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) } : {}),
  }),
  responses: responses({
    ...(rounds.length > 0
      ? {
          input: [
            hello,
            ...rounds.flatMap(({ name, input, result }, index) => [
              { type: 'function_call', call_id: `call_${index}`, name, arguments: JSON.stringify(input) },
              { type: 'function_call_output', call_id: `call_${index}`, output: result },
            ]),
          ],
        }
      : {}),
    ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: 'function', ...tool, strict: false })) } : {}),
  }),
  anthropic: anthropic({
    messages: [
      hello,
      ...rounds.flatMap(({ name, input, result }, index) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `call_${index}`, name, input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${index}`, content: result }] },
      ]),
    ],
    ...(tools.length > 0
      ? { tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })) }
      : {}),
  }),
  gemini: gemini({
    contents: [
      { role: 'user', parts: [{ text: 'Hello' }] },
      ...rounds.flatMap(({ name, input, result }) => [
        { role: 'model', parts: [{ functionCall: { name, args: input } }] },
        { role: 'user', parts: [{ functionResponse: { name, response: { content: result } } }] },
      ]),
    ],
    ...(tools.length > 0
      ? {
          tools: [
            {
              functionDeclarations: tools.map(({ parameters, ...tool }) => ({
                ...tool,
                parametersJsonSchema: parameters,
              })),
            },
          ],
        }
      : {}),
  }),
})

/** A feature of a single dialect that all others receive as functions. */
function asFunctions(
  feature: string,
  from: Format,
  form: Json,
  wires: Readonly<Record<Format, Json>>,
  outcome: Omit<Outcome<Json>, 'wire'> = { isNearest: true },
): RequestGolden {
  return {
    feature,
    forms: { openai: null, responses: null, anthropic: null, gemini: null, [from]: form },
    outcomes: Object.fromEntries(
      pairs.filter((way) => way.from === from).map(({ pair, to }) => [pair, { wire: wires[to], ...outcome }]),
    ),
  }
}

const asked = (input: readonly Json[], tools: readonly Json[] = []) =>
  responses({ input: [hello, ...input], ...(tools.length > 0 ? { tools } : {}) })

const weather = { name: 'weather', description: 'Tells the weather.', parameters: city }
const walk = { name: 'walk', description: 'Plans a walk.', parameters: city }
const group = {
  type: 'namespace',
  name: 'mcp__outdoors',
  description: 'Tools for going out.',
  tools: [
    { type: 'function', ...weather, strict: false },
    { type: 'function', ...walk, strict: false, defer_loading: true },
  ],
}
const flat = [
  {
    ...weather,
    name: 'mcp__outdoors__weather',
    description: 'Tells the weather.\n(mcp__outdoors: Tools for going out.)',
  },
  { ...walk, name: 'mcp__outdoors__walk' },
]
const paris = { city: 'Paris' }
const sunny = { input: paris, result: 'Sunny.' }

const long = `look_up_${'very_'.repeat(12)}long`
const short = `look_up_${'very_'.repeat(12)}long`.slice(0, 55)

const searchTool = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: city }
const found = {
  type: 'tool_search_output',
  call_id: 'call_0',
  status: 'completed',
  execution: 'client',
  tools: [group],
}
const { local_shell, shell, apply_patch, bash, str_replace_based_edit_tool: editor, memory } = ownFunctions

/** Client-run tools that only one dialect supports, and earlier calls of them. */
export const clientTools: readonly RequestGolden[] = [
  asFunctions('Tool namespace', 'responses', responses({ tools: [group] }), told(flat)),
  asFunctions(
    'Namespaced tool call and result',
    'responses',
    asked(
      [
        {
          type: 'function_call',
          call_id: 'call_0',
          namespace: 'mcp__outdoors',
          name: 'weather',
          arguments: JSON.stringify(paris),
        },
        { type: 'function_call_output', call_id: 'call_0', output: 'Sunny.' },
      ],
      [group],
    ),
    told(flat, [{ name: 'mcp__outdoors__weather', ...sunny }]),
  ),
  asFunctions(
    'Call and result of an undeclared tool',
    'responses',
    asked([
      {
        type: 'function_call',
        call_id: 'call_0',
        namespace: 'mcp__outdoors',
        name: 'weather',
        arguments: JSON.stringify(paris),
      },
      { type: 'function_call_output', call_id: 'call_0', output: 'Sunny.' },
    ]),
    told([], [{ name: 'mcp__outdoors__weather', ...sunny }]),
  ),
  asFunctions(
    'Client-run tool search and discovered tools',
    'responses',
    asked(
      [
        {
          type: 'tool_search_call',
          call_id: 'call_0',
          status: 'completed',
          execution: 'client',
          arguments: { city: 'Paris' },
        },
        found,
        {
          type: 'function_call',
          call_id: 'call_1',
          namespace: 'mcp__outdoors',
          name: 'weather',
          arguments: JSON.stringify(paris),
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'Sunny.' },
      ],
      [searchTool],
    ),
    told(
      [{ name: 'tool_search', description: 'Finds tools.', parameters: city }, ...flat],
      [
        {
          name: 'tool_search',
          input: paris,
          result: 'These tools can be called now: mcp__outdoors__weather, mcp__outdoors__walk',
        },
        { name: 'mcp__outdoors__weather', ...sunny },
      ],
    ),
  ),
  asFunctions(
    'OpenAI tool search, run by the vendor',
    'responses',
    responses({ tools: [{ type: 'tool_search' }, group] }),
    told(flat),
  ),
  asFunctions(
    'Tools added during the conversation',
    'responses',
    asked([{ type: 'additional_tools', tools: [group] }]),
    { ...told(flat), responses: responses({ input: [hello], tools: [] }) },
  ),
  asFunctions(
    'OpenAI local shell: call and result',
    'responses',
    asked(
      [
        {
          type: 'local_shell_call',
          call_id: 'call_0',
          status: 'completed',
          action: { type: 'exec', command: ['ls', '-l'], working_directory: '/src', env: {} },
        },
        { type: 'function_call_output', call_id: 'call_0', output: 'notes' },
      ],
      [{ type: 'local_shell' }],
    ),
    told(
      [local_shell],
      [{ name: 'local_shell', input: { command: ['ls', '-l'], working_directory: '/src' }, result: 'notes' }],
    ),
  ),
  asFunctions(
    'OpenAI shell: call and result',
    'responses',
    asked(
      [
        {
          type: 'shell_call',
          call_id: 'call_0',
          status: 'completed',
          action: { commands: ['ls', 'cat x'], timeout_ms: 1000, max_output_length: null },
        },
        {
          type: 'shell_call_output',
          call_id: 'call_0',
          output: [
            { stdout: 'notes', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
            { stdout: '', stderr: 'No such file.', outcome: { type: 'exit', exit_code: 1 } },
          ],
        },
      ],
      [{ type: 'shell' }],
    ),
    told(
      [shell],
      [
        {
          name: 'shell',
          input: { commands: ['ls', 'cat x'], timeout_ms: 1000 },
          result: 'notes\nNo such file.\n(exit code 1)',
        },
      ],
    ),
  ),
  asFunctions(
    'OpenAI `apply_patch`: call and result',
    'responses',
    asked(
      [
        {
          type: 'apply_patch_call',
          call_id: 'call_0',
          status: 'completed',
          operation: { type: 'create_file', path: 'a.txt', diff: '+a' },
        },
        { type: 'apply_patch_call_output', call_id: 'call_0', status: 'completed', output: 'Created a.txt' },
      ],
      [{ type: 'apply_patch' }],
    ),
    told(
      [apply_patch],
      [{ name: 'apply_patch', input: { type: 'create_file', path: 'a.txt', diff: '+a' }, result: 'Created a.txt' }],
    ),
  ),
  asFunctions(
    'Anthropic bash: call and result',
    'anthropic',
    anthropic({
      messages: [
        hello,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_0', name: 'bash', input: { command: 'ls' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_0', content: 'notes' }] },
      ],
      tools: [{ type: 'bash_20250124', name: 'bash' }],
    }),
    told([bash], [{ name: 'bash', input: { command: 'ls' }, result: 'notes' }]),
  ),
  asFunctions(
    'Anthropic text editor and memory',
    'anthropic',
    anthropic({
      tools: [
        { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
        { type: 'memory_20250818', name: 'memory' },
      ],
    }),
    told([editor, memory]),
  ),
  asFunctions(
    'Anthropic tool search, run by the vendor',
    'anthropic',
    anthropic({
      tools: [
        { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
        { ...weather, parameters: undefined, input_schema: city, defer_loading: true },
      ],
    }),
    told([weather]),
  ),
  asFunctions(
    'Web search without web access (Codex default)',
    'responses',
    responses({ tools: [{ type: 'web_search', external_web_access: false }] }),
    told([]),
    { isLeftOut: true },
  ),
  asFunctions(
    'Function name with characters that others refuse',
    'gemini',
    gemini({ tools: [{ functionDeclarations: [{ ...weather, name: 'outdoors.weather:now' }] }] }),
    told([{ ...weather, name: 'outdoors_weather_now_5c97736d' }]),
  ),
  asFunctions(
    'Function name longer than others allow',
    'anthropic',
    anthropic({ tools: [{ name: long, description: weather.description, input_schema: city }] }),
    told([{ ...weather, name: `${short}_bfe2bc05` }]),
  ),
]
