import { createHash } from 'node:crypto'
import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { RequestGolden } from '../golden.ts'
import { anthropic, gemini, openai, responses, vendor, weather } from '../requests.ts'

/** A field of both OpenAI dialects; for the others it is reported. */
const shared = (feature: string, field: Json): RequestGolden => {
  const reported = Object.keys(field)
  return {
    feature,
    forms: { openai: openai(field), responses: responses(field), anthropic: null, gemini: null },
    outcomes: {
      'openai>anthropic': { reported },
      'openai>gemini': { reported },
      'responses>anthropic': { reported },
      'responses>gemini': { reported },
    },
  }
}

/** A user id as Claude Code sends it, and its SHA-256. */
const longUser = `user_${'a'.repeat(64)}_account__session_${'b'.repeat(36)}`
const hashedUser = createHash('sha256').update(longUser).digest('hex')

const hello = { role: 'user', content: 'Hello' }
const ephemeral = { type: 'ephemeral' }
const hour = { type: 'ephemeral', ttl: '1h' }

/** Cache marks on the instructions and the message, in the given form. */
const marked = (mark: Json, longer: Json) => ({
  openai: {
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', ...longer }] },
      { role: 'user', content: [{ type: 'text', text: 'Hello', ...mark }] },
    ],
  },
  anthropic: anthropic({
    system: [{ type: 'text', text: 'Be brief.', ...longer }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', ...mark }] }],
  }),
  responses: responses({
    input: [
      { role: 'system', content: [{ type: 'input_text', text: 'Be brief.', ...longer }] },
      { role: 'user', content: [{ type: 'input_text', text: 'Hello', ...mark }] },
    ],
  }),
})

const anthropicMarks = marked({ cache_control: ephemeral }, { cache_control: hour })
const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } }
const openaiMarks = marked(breakpoint, { prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } })
const unmarked = {
  openai: { messages: [{ role: 'system', content: 'Be brief.' }, hello] },
  responses: responses({ instructions: 'Be brief.', input: 'Hello' }),
  gemini: gemini({ systemInstruction: { parts: [{ text: 'Be brief.' }] } }),
}
const partsUnmarked = responses({
  input: [
    { role: 'system', content: [{ type: 'input_text', text: 'Be brief.' }] },
    { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
  ],
})

/** Users, storage and caching. */
export const accounts: readonly RequestGolden[] = [
  {
    feature: 'User identifier',
    forms: {
      openai: openai({ user: 'ada' }),
      responses: responses({ user: 'ada' }),
      anthropic: anthropic({ metadata: { user_id: 'ada' } }),
      gemini: null,
    },
    outcomes: {
      'openai>gemini': { reported: ['user'] },
      'responses>gemini': { reported: ['user'] },
      'anthropic>gemini': { reported: ['metadata.user_id'] },
    },
  },
  {
    feature: 'User identifier longer than OpenAI allows',
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({ metadata: { user_id: longUser } }),
      gemini: null,
    },
    outcomes: {
      'anthropic>openai': { wire: openai({ user: hashedUser }) },
      'anthropic>responses': { wire: responses({ user: hashedUser }) },
      'anthropic>gemini': { reported: ['metadata.user_id'] },
    },
  },
  shared('Metadata', { metadata: { job: '7' } }),
  shared('Service tier', { service_tier: 'flex' }),
  shared('Safety identifier', { safety_identifier: 'a1' }),
  shared('Prompt cache retention', { prompt_cache_retention: '24h' }),
  shared('Prompt cache key', { prompt_cache_key: 'books' }),
  {
    feature: 'Response storage (`store`)',
    forms: { openai: openai({ store: true }), responses: responses({ store: true }), anthropic: null, gemini: null },
    outcomes: {
      'openai>anthropic': { isLeftOut: true },
      'openai>gemini': { isLeftOut: true },
      'responses>anthropic': { isLeftOut: true },
      'responses>gemini': { isLeftOut: true },
    },
  },
  {
    feature: 'Claude Code billing line (changes with every request)',
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({
        system: [
          { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.177.01c; cc_entrypoint=cli; cch=36ee5;' },
          { type: 'text', text: 'You are Claude Code.' },
        ],
      }),
      gemini: null,
    },
    outcomes: {
      'anthropic>openai': {
        wire: openai({
          messages: [
            { role: 'system', content: 'You are Claude Code.' },
            { role: 'user', content: 'Hello' },
          ],
        }),
        isLeftOut: true,
      },
      'anthropic>responses': { wire: responses({ instructions: 'You are Claude Code.' }), isLeftOut: true },
      'anthropic>gemini': {
        wire: gemini({ systemInstruction: { parts: [{ text: 'You are Claude Code.' }] } }),
        isLeftOut: true,
      },
    },
  },
  {
    feature: 'Prompt cache breakpoints (OpenAI model with support)',
    models: { openai: 'gpt-5.6', responses: 'gpt-5.6' },
    forms: {
      openai: openai(openaiMarks.openai),
      responses: openaiMarks.responses,
      anthropic: anthropicMarks.anthropic,
      gemini: null,
    },
    outcomes: {
      'openai>gemini': { wire: unmarked.gemini, reported: ['cache_control'] },
      'responses>gemini': { wire: unmarked.gemini, reported: ['prompt_cache_breakpoint'] },
      'anthropic>gemini': { wire: unmarked.gemini, reported: ['cache_control'] },
    },
  },
  {
    feature: 'Prompt cache breakpoints (OpenAI model without support)',
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropicMarks.anthropic,
      gemini: null,
    },
    outcomes: {
      'anthropic>openai': { wire: openai(unmarked.openai), reported: ['cache_control'] },
      'anthropic>responses': { wire: partsUnmarked, reported: ['cache_control'] },
      'anthropic>gemini': { wire: unmarked.gemini, reported: ['cache_control'] },
    },
  },
  {
    feature: 'Prompt cache breakpoints (Claude at OpenRouter)',
    models: { openai: 'anthropic/claude-sonnet-4.5', responses: 'gpt-5.6' },
    openai: 'router',
    forms: {
      openai: vendor(anthropicMarks.openai),
      responses: openaiMarks.responses,
      anthropic: anthropicMarks.anthropic,
      gemini: null,
    },
    outcomes: {
      'openai>gemini': { wire: unmarked.gemini, reported: ['cache_control'] },
      'responses>gemini': { wire: unmarked.gemini, reported: ['prompt_cache_breakpoint'] },
      'anthropic>gemini': { wire: unmarked.gemini, reported: ['cache_control'] },
    },
  },
  {
    feature: 'Prompt cache breakpoints on tools (Claude at OpenRouter)',
    models: { openai: 'anthropic/claude-sonnet-4.5' },
    openai: 'router',
    forms: {
      openai: vendor({ tools: [{ ...weather.openai, cache_control: ephemeral }] }),
      responses: null,
      anthropic: anthropic({ tools: [{ ...weather.anthropic, cache_control: ephemeral }] }),
      gemini: null,
    },
    outcomes: {
      'openai>responses': { wire: responses({ tools: [weather.responses] }), reported: ['cache_control'] },
      'anthropic>responses': { wire: responses({ tools: [weather.responses] }), reported: ['cache_control'] },
      'openai>gemini': {
        wire: gemini({ tools: [{ functionDeclarations: [weather.gemini] }] }),
        reported: ['cache_control'],
      },
      'anthropic>gemini': {
        wire: gemini({ tools: [{ functionDeclarations: [weather.gemini] }] }),
        reported: ['cache_control'],
      },
    },
  },
]
