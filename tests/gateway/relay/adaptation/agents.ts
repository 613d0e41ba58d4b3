// biome-ignore lint/suspicious/noExplicitAny: every dialect's answer is read in its own way
type Answer = any
type Item = Readonly<Record<string, unknown>>

/** A coding agent as a client: its requests, and how a response changes its history. */
export type Agent = Readonly<{
  path: (model: string) => string
  headers?: Readonly<Record<string, string>>
  /** Request number `turn`, whose history ends with the latest user message or tool results. */
  body: (model: string, history: readonly Item[], turn: number) => object
  /** The user's first message. */
  first: readonly Item[]
  /** The response as the agent stores it, followed by its tools' results or the user's next message. */
  after: (answer: Answer) => readonly Item[]
}>

const INSTRUCTIONS = 'You are a coding agent. '.repeat(60)
const READ = 'Reads a file.'
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const FOUND = 'export const answer = 42'
const NEXT = 'And now the tests.'
const mark = { type: 'ephemeral' }

/** The history with a cache mark on its last message, as Claude Code moves it. */
const withLastMark = (history: readonly Item[]): readonly Item[] =>
  history.map((message, index) =>
    index < history.length - 1
      ? message
      : { ...message, content: (message.content as Item[]).map((block) => ({ ...block, cache_control: mark })) },
  )

export const agents = {
  'Claude Code': {
    path: () => '/v1/messages',
    headers: { 'anthropic-beta': 'claude-code-20250219,prompt-caching-scope-2026-01-05' },
    first: [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>CLAUDE.md</system-reminder>' },
          { type: 'text', text: 'Fix the bug.' },
        ],
      },
    ],
    body: (model, history, turn) => ({
      model,
      max_tokens: 32_000,
      system: [
        {
          type: 'text',
          text: `x-anthropic-billing-header: cc_version=2.1.177.01c; cc_entrypoint=cli; cch=36e${turn};`,
        },
        { type: 'text', text: INSTRUCTIONS, cache_control: { ...mark, scope: 'global' } },
      ],
      tools: [{ name: 'Read', description: READ, input_schema: schema }],
      messages: withLastMark(history),
      metadata: { user_id: 'user_1_account__session_2' },
    }),
    after: ({ content }) => {
      const calls = content.filter((block: Item) => block.type === 'tool_use')
      const results = calls.map(({ id }: Item) => ({ type: 'tool_result', tool_use_id: id, content: FOUND }))
      return [
        { role: 'assistant', content },
        { role: 'user', content: results.length > 0 ? results : [{ type: 'text', text: NEXT }] },
      ]
    },
  },
  Codex: {
    path: () => '/v1/responses',
    first: [
      said('developer', '<permissions instructions>ask first</permissions instructions>'),
      said('user', '<environment_context><cwd>/src</cwd></environment_context>'),
      said('user', 'Fix the bug.'),
    ],
    body: (model, input) => ({
      model,
      instructions: INSTRUCTIONS,
      input,
      tools: [
        { type: 'function', name: 'shell', description: READ, parameters: schema, strict: false },
        { type: 'custom', name: 'apply_patch', description: 'Patches files.' },
      ],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      store: false,
      include: ['reasoning.encrypted_content'],
    }),
    after: ({ output }) => {
      const calls = output.filter(({ type }: Item) => type === 'function_call')
      const results = calls.map(({ call_id }: Item) => ({ type: 'function_call_output', call_id, output: FOUND }))
      const kept = output.map(({ status: _, ...item }: Item) => item)
      return [...kept, ...(results.length > 0 ? results : [said('user', NEXT)])]
    },
  },
  'Gemini CLI': {
    path: (model) => `/v1beta/models/${model}:generateContent`,
    first: [
      { role: 'user', parts: [{ text: 'This is the folder.' }] },
      { role: 'model', parts: [{ text: 'Got it.' }] },
      { role: 'user', parts: [{ text: 'Fix the bug.' }] },
    ],
    body: (_, contents) => ({
      systemInstruction: { role: 'user', parts: [{ text: INSTRUCTIONS }] },
      contents,
      tools: [{ functionDeclarations: [{ name: 'read_file', description: READ, parametersJsonSchema: schema }] }],
      generationConfig: { temperature: 1, topP: 0.95 },
    }),
    after: ({ candidates: [{ content }] }) => {
      // Gemini CLI matches calls by name only: it omits ids, which some vendors do not provide.
      const parts = content.parts.map(({ functionCall, ...part }: Item) => ({
        ...part,
        ...(functionCall ? { functionCall: { ...(functionCall as Item), id: undefined } } : {}),
      }))
      const calls = parts.filter((part: Item) => part.functionCall)
      const results = calls.map(({ functionCall }: Item) => ({
        functionResponse: { name: (functionCall as Item).name, response: { output: FOUND } },
      }))
      return [
        { role: 'model', parts },
        { role: 'user', parts: results.length > 0 ? results : [{ text: NEXT }] },
      ]
    },
  },
  'a Chat agent': {
    path: () => '/v1/chat/completions',
    first: [
      { role: 'system', content: INSTRUCTIONS },
      { role: 'user', content: 'Fix the bug.' },
    ],
    body: (model, messages) => ({
      model,
      messages,
      tools: [{ type: 'function', function: { name: 'read', description: READ, parameters: schema } }],
    }),
    after: ({ choices: [{ message }] }) => {
      const calls: Item[] = message.tool_calls ?? []
      const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: FOUND }))
      return [message, ...(results.length > 0 ? results : [{ role: 'user', content: NEXT }])]
    },
  },
} as const satisfies Record<string, Agent>
export type AgentName = keyof typeof agents
export const agentNames = Object.keys(agents) as AgentName[] // the keys of a constant

function said(role: string, text: string): Item {
  return { type: 'message', role, content: [{ type: 'input_text', text }] }
}
