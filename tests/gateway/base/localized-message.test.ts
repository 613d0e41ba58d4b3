import { expect, it } from 'vitest'
import { contentIn, logMessage } from '../../../gateway/base/localized-message.ts'
import { nested } from '../../../shared/messages/format.ts'

it('is stored in English and shown in the reader’s language, with what it names (docs/reference/logs.md#languages)', () => {
  const row = logMessage(
    [
      { key: 'log.topup', params: { amount: '$1', money: '7.30' } },
      { key: 'log.user_factors', params: { actor: nested('log.shell'), name: 'alice', id: 7 } },
    ],
    { admin_info: { user: 1 } },
  )
  expect(row.content).toMatch(/^Online top-up \$1, paid 7.30 .*alice/)
  expect(contentIn('en', row)).toBe(row.content)
  expect(contentIn('zh', row)).toMatch(/^在线充值 \$1，实付 7.30 .*alice/)
  expect(JSON.parse(row.other).admin_info).toEqual({ user: 1 })
})

it('falls back to the stored text if the message cannot be read', () => {
  for (const other of [
    '',
    '{}',
    '"said":[',
    '{"said":[]}',
    '{"said":[{"key":"no.such"}]}',
    '{"said":[{"key":5}]}',
    '{"said":["toString"]}',
  ])
    expect(contentIn('zh', { content: 'as it is', other })).toBe('as it is')
  const other = '{"said":[{"key":"log.topup","params":{"amount":{"a":1},"money":"1"}}]}'
  expect(contentIn('en', { content: '', other })).toBe('Online top-up {amount}, paid 1')
})
