import { describe, expect, it } from 'vitest'
import { en, isMessageKey, type MessageKey } from '../../shared/messages/en.ts'
import { formatMessage, localeFrom, nested } from '../../shared/messages/format.ts'
import { zh } from '../../shared/messages/zh.ts'
import { catalogueKeys, relayKeys } from './message-keys.ts'

const keys = Object.keys(en).filter(isMessageKey)
const placeholdersOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted()

describe('the messages (docs/reference/screens.md#texts)', () => {
  it('include every key of the catalogue and every refusal of the relay', () => {
    expect([...catalogueKeys, ...relayKeys].filter((key) => !isMessageKey(key))).toEqual([])
  })

  it('are complete in both languages, with the same keys in each', () => {
    expect(Object.keys(zh).toSorted()).toEqual(Object.keys(en).toSorted())
    expect(keys.filter((key) => en[key].trim() === '' || zh[key].trim() === '')).toEqual([])
  })

  it('use the same placeholders in both languages, {key} and {address} of chat links aside', () => {
    const different = keys.filter((key) => placeholdersOf(en[key]).join() !== placeholdersOf(zh[key]).join())
    expect(different).toEqual([])
  })

  it('carry no marks of the catalogue and no Chinese in the English texts', () => {
    expect(keys.filter((key) => /\*\s*$|[\u4e00-\u9fff]/.test(en[key]))).toEqual([])
    expect(keys.filter((key) => zh[key].endsWith('*'))).toEqual([])
  })

  it.each<[MessageKey, string, string]>([
    ['login.expired', 'Not logged in or login expired, please log in again', '未登录或登录已过期，请重新登录！'],
    ['http.429', 'Error: too many requests, try again later!', '错误：请求过于频繁，请稍候再试！'],
    ['option.nochange', "You don't seem to have changed anything", '没有检测到任何改动'],
    ['copy.fail', 'Cannot copy to clipboard, please copy manually', '无法复制到剪贴板，请手动复制'],
    ['pay.off', 'Online top-up is not enabled', '管理员未开启在线充值！'],
  ])('%s has the text that clients of the family expect', (key, english, chinese) => {
    expect([en[key], zh[key]]).toEqual([english, chinese])
  })
})

describe('formatMessage', () => {
  it('fills placeholders in the language of the reader', () => {
    expect(formatMessage('en', 'log.quota_edit', { a: 1, b: 2 })).toContain('from 1 to 2')
    expect(formatMessage('zh', 'pay.min', { n: 10 })).toBe('充值数量不能小于10')
  })

  it('leaves a placeholder without a value unchanged, for any name', () => {
    expect(formatMessage('en', 'update.latest')).toBe('Already the latest version: {v}')
    expect(formatMessage('en', 'option.hint.Chats', { n: 1 })).toContain('{key} is replaced by')
  })

  it('translates a message named in a value, and nothing else in it', () => {
    const params = { name: nested('option.label.oidc.enabled'), fields: nested('option.label.oidc.client_id') }
    expect(formatMessage('zh', 'option.need_first', params)).toBe('无法启用 OIDC 登录，请先填写 Client ID')
    expect(formatMessage('en', 'option.unknown', { key: '$t(pw.same) {key}' })).toBe('Unknown option $t(pw.same) {key}')
  })
})

describe('localeFrom', () => {
  it.each([
    [undefined, 'zh'],
    ['', 'zh'],
    ['zh', 'zh'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['ZH-tw', 'zh-TW'],
    ['en-US,en;q=0.9,zh;q=0.8', 'en'],
    ['en;q=0.2, zh-Hans;q=0.7', 'zh'],
    ['fr-FR', 'fr'],
    ['de-DE', 'en'],
    ['*', 'en'],
    ['en;q=oops,zh;q=0.5', 'en'],
  ])('reads %s as %s', (header, locale) => {
    expect(localeFrom(header)).toBe(locale)
  })
})
