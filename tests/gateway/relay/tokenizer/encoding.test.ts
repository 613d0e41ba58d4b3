import { expect, it } from 'vitest'
import { encodingOf } from '../../../../gateway/relay/tokenizer/encoding.ts'

it.each([
  ['gpt-4o-2024-08-06', 'o200k_base'],
  ['gpt-4.1-mini', 'o200k_base'],
  ['gpt-4.5-preview', 'o200k_base'],
  ['gpt-5', 'o200k_base'],
  ['gpt-5.1-codex', 'o200k_base'],
  ['o1-mini', 'o200k_base'],
  ['o4-mini', 'o200k_base'],
  ['chatgpt-4o-latest', 'o200k_base'],
  ['codex-mini-latest', 'o200k_base'],
  ['omni-moderation-latest', 'o200k_base'],
  ['gpt-oss-120b', 'o200k_base'],
  ['openai/gpt-4o', 'o200k_base'],
  ['OpenAI/GPT-4o', 'o200k_base'],
  ['ft:gpt-4o-mini-2024-07-18:house::id', 'o200k_base'],
  ['gpt-4', 'cl100k_base'],
  ['gpt-4-turbo-2024-04-09', 'cl100k_base'],
  ['gpt-4-32k', 'cl100k_base'],
  ['gpt-3.5-turbo', 'cl100k_base'],
  ['gpt-35-turbo', 'cl100k_base'],
  ['text-embedding-3-large', 'cl100k_base'],
  ['text-embedding-ada-002', 'cl100k_base'],
  ['claude-sonnet-4-5', undefined],
  ['gemini-2.5-pro', undefined],
  ['google/text-embedding-004', undefined],
  ['deepseek-chat', undefined],
  ['openai', undefined],
  ['olmo-2', undefined],
  ['', undefined],
])('%s is counted with %s (docs/reference/tokens.md#exact-counts)', (model, encoding) => {
  expect(encodingOf(model)).toBe(encoding)
})
