import { expect, it } from 'vitest'
import { CallFailure, httpFailure, networkFailure, refusedWith } from '../../../../renderer/api/call-failure.ts'
import { failureText } from '../../../../renderer/pages/setup/failure-text.ts'
import type { Translate } from '../../../../renderer/translation.ts'
import { formatMessage } from '../../../../shared/messages/format.ts'

/** The Chinese texts, which the wizard looks up by key. */
const chinese = ((key: Parameters<typeof formatMessage>[1]) => formatMessage('zh', key)) as Translate

const own = '初始化失败，请重试'
it.each<[string, Error, string]>([
  ['a refusal in the gateway’s words', refusedWith('用户名最多 12 个字符'), '用户名最多 12 个字符'],
  ['a refusal without any', refusedWith(''), own],
  ['a fault without any', httpFailure(500, ''), own],
  ['a page of somebody else’s', httpFailure(502, ''), own],
  ['an answer that is none', httpFailure(200, '', '请求失败'), own],
  ['a status that tells why', new CallFailure('http', 403, '错误：拒绝'), '错误：拒绝'],
  ['no answer', networkFailure(new Error('reset')), '系统初始化失败，请重试'],
  ['anything else', new Error('a bug'), own],
])('the wizard shows the right text for %s (docs/reference/screens.md#setup)', (_what, error, text) => {
  expect(failureText(error, chinese)).toBe(text)
})

it('a status that carries words is not wordless', () => {
  expect([httpFailure(500, 'a fault').isWordless, refusedWith('no').isWordless]).toEqual([false, false])
})
