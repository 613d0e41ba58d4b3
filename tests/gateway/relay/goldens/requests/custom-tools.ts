import type { RequestGolden } from '../golden.ts'
import { anthropic, gemini, openai, responses } from '../requests.ts'

const described = { name: 'shell', description: 'Runs a command.' }
const parameters = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
const grammar = { syntax: 'lark', definition: 'start: "ls"' }

const asFunction = {
  anthropic: anthropic({ tools: [{ ...described, input_schema: parameters }] }),
  gemini: gemini({ tools: [{ functionDeclarations: [{ ...described, parametersJsonSchema: parameters }] }] }),
}

const constrained = `${described.description}

The parameter "input" is free text that must follow this lark grammar:
${grammar.definition}`
const withGrammar = {
  anthropic: anthropic({ tools: [{ ...described, description: constrained, input_schema: parameters }] }),
  gemini: gemini({
    tools: [{ functionDeclarations: [{ ...described, description: constrained, parametersJsonSchema: parameters }] }],
  }),
}

const hello = { role: 'user', content: 'Hello' }

const called = {
  anthropic: anthropic({
    messages: [
      hello,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'shell', input: { input: 'ls' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'notes' }] },
    ],
  }),
  gemini: gemini({
    contents: [
      { role: 'user', parts: [{ text: 'Hello' }] },
      { role: 'model', parts: [{ functionCall: { name: 'shell', args: { input: 'ls' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'shell', response: { content: 'notes' } } }] },
    ],
  }),
}

/** Tools whose input is free text instead of JSON; only OpenAI has them. */
export const customTools: readonly RequestGolden[] = [
  {
    feature: 'Custom tool (free-text input)',
    forms: {
      openai: openai({ tools: [{ type: 'custom', custom: described }] }),
      responses: responses({ tools: [{ type: 'custom', ...described }] }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: asFunction.anthropic, isNearest: true },
      'openai>gemini': { wire: asFunction.gemini, isNearest: true },
      'responses>anthropic': { wire: asFunction.anthropic, isNearest: true },
      'responses>gemini': { wire: asFunction.gemini, isNearest: true },
    },
  },
  {
    feature: 'Custom tool with a grammar',
    forms: {
      openai: openai({
        tools: [{ type: 'custom', custom: { ...described, format: { type: 'grammar', grammar } } }],
      }),
      responses: responses({ tools: [{ type: 'custom', ...described, format: { type: 'grammar', ...grammar } }] }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: withGrammar.anthropic, isNearest: true },
      'openai>gemini': { wire: withGrammar.gemini, isNearest: true },
      'responses>anthropic': { wire: withGrammar.anthropic, isNearest: true },
      'responses>gemini': { wire: withGrammar.gemini, isNearest: true },
    },
  },
  {
    feature: 'Custom tool call and result',
    forms: {
      openai: openai({
        messages: [
          hello,
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'shell', input: 'ls' } }],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'notes' },
        ],
      }),
      responses: responses({
        input: [
          hello,
          { type: 'custom_tool_call', call_id: 'call_1', name: 'shell', input: 'ls' },
          { type: 'custom_tool_call_output', call_id: 'call_1', output: 'notes' },
        ],
      }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: called.anthropic, isNearest: true },
      'openai>gemini': { wire: called.gemini, isNearest: true },
      'responses>anthropic': { wire: called.anthropic, isNearest: true },
      'responses>gemini': { wire: called.gemini, isNearest: true },
    },
  },
]
