import { expect, it } from 'vitest'
import { shownLines } from '../../../gateway/connect/shown.ts'
import { MASK } from '../../../shared/secret-mask.ts'

/** `hunter2` stands for what nobody may see. */
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
  ['"envKey": "NAME_OF_IT",', '"envKey": "NAME_OF_IT",'],
  ['max_tokens: 8192', 'max_tokens: 8192'],
  ['url: http://127.0.0.1:6411/v1', 'url: http://127.0.0.1:6411/v1'],
])('%j is shown as %j (docs/reference/connect.md#who-may)', (text, shown) =>
  expect(shownLines([{ kind: 'kept', text }], [])).toEqual([{ kind: 'kept', text: shown }]),
)
