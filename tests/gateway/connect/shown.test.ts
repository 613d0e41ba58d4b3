import { expect, it } from 'vitest'
import { listedSecrets, shownLines } from '../../../gateway/connect/shown.ts'
import { MASK } from '../../../shared/secret-mask.ts'

/** `hunter2` stands for text that must stay hidden. */
it.each([
  ['api_key: hunter2 # mine', `api_key: ${MASK}`],
  ["  token = 'hunter2' # mine", `  token = ${MASK}`],
  ["password: 'it''s hunter2'", `password: ${MASK}`],
  ['SECRET="a\\"hunter2"', `SECRET=${MASK}`],
  ['  "token": "it\'s hunter2",', `  "token": ${MASK}`],
  ['"DEEPSEEK_KEY": "hunter2",', `"DEEPSEEK_KEY": "${MASK}",`],
  ['{"env":{"A_TOKEN":"it\'s hunter2","B":"c"}}', `{"env":{"A_TOKEN":"${MASK}","B":"c"}}`],
  ['provider: {api_key: hunter2, model: m}', `provider: {api_key: ${MASK}, model: m}`],
  ['  - {name: a, apiKey: hunter2}', `  - {name: a, apiKey: ${MASK}}`],
  ['url: https://ann:hunter2@example.org/v1', `url: https://ann:${MASK}@example.org/v1`],
  ['"api_keys": ["hunter2", "it\'s hunter2"],', `"api_keys": ["${MASK}", "${MASK}"],`],
  ["tokens = ['hunter2']", `tokens = ['${MASK}']`],
  ['keys: [hunter2, other]', `keys: [${MASK}, ${MASK}]`],
  ['models: [gpt-4o, other]', 'models: [gpt-4o, other]'],
  ['"envKey": "NAME_OF_IT",', '"envKey": "NAME_OF_IT",'],
  ['max_tokens: 8192', 'max_tokens: 8192'],
  ['url: http://127.0.0.1:6411/v1', 'url: http://127.0.0.1:6411/v1'],
])('%j is shown as %j (docs/reference/connect.md#permissions)', (text, shown) =>
  expect(shownLines([{ kind: 'kept', text }], [])).toEqual([{ kind: 'kept', text: shown }]),
)

it.each([
  ['JSON', '{\n  "apiKeys": [\n    "hunter2", // mine\n    "hunter3"\n  ],\n  "models": ["m-1"]\n}'],
  ['TOML', 'keys = [\n  "hunter2",\n  \'hunter3\',\n]\nmodels = ["m-1"]\n'],
  ['YAML', 'api-key:\n  - openai=hunter2\n  # the other\n  - "hunter3"\nmodels:\n  - m-1\n'],
  ['YAML of objects', 'credentials:\n  - name: a\n    value: hunter2\n  - value: hunter3\nmodels:\n  - m-1\n'],
])('a line of a list of keys is shown masked, for every start of the list: %s', (_, text) => {
  const lines = text.split('\n').map((line) => ({ kind: 'kept' as const, text: line }))
  const shown = shownLines(lines, listedSecrets(text)).map((line) => line.text)
  expect(shown.join('\n')).not.toMatch(/hunter/)
  expect(shown.join('\n')).toContain('m-1')
})
