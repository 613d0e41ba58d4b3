import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { encodeOption, optionKeys } from '../../../shared/options/index.ts'
import { dataOf } from '../../support/client.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/security.md'), 'utf8')

/** The options in each row of the table, with the reason why only the super administrator may set them. */
const [, table = ''] = /^## The super administrator\n([\s\S]+?)^## /m.exec(page) ?? []
const told = new Map(
  Array.from(table.matchAll(/^\| (`.+`) \| (.+) \|$/gm)).flatMap(([, names = '', why = '']) =>
    Array.from(names.matchAll(/`([^`]+)`/g), ([, key = '']) => [key, why] as const),
  ),
)

describe('options of the super administrator (docs/reference/security.md#the-super-administrator)', () => {
  let world: World
  let clerk: Person
  beforeAll(async () => {
    world = await aWorld()
    clerk = await world.user({ role: 10 })
  })

  it.each(optionKeys)('%s', async (key) => {
    const value = encodeOption(key, world.gateway.inner.settings.get(key))
    const reply = await clerk.put('/api/option', { key, value })
    const isRoots = /^Only the super administrator can change this setting/.test(reply.message ?? '')
    expect(isRoots).toBe(told.has(key))
    const [refusal] = isRoots ? [reply.message] : [undefined]
    expect((await clerk.post('/api/option/reset', { key })).message?.startsWith('Only the super') ?? false).toBe(
      isRoots,
    )
    if (isRoots) expect(refusal).toContain(told.get(key))
  })
})

describe('a secret (docs/reference/security.md#secrets-and-their-addresses)', () => {
  it.each([
    ['SMTPServer', 'SMTPToken', 'one.example', 'ONE.example', 'two.example'],
    ['WorkerUrl', 'WorkerValidKey', 'https://one.example', 'https://one.example/a', 'https://one.example:8443'],
    ['WeChatServerAddress', 'WeChatServerToken', 'https://one.example', 'https://one.example/a', 'http://one.example'],
    [
      'oidc.token_endpoint',
      'oidc.client_secret',
      'https://one.example',
      'https://one.example/a',
      'https://two.example',
    ],
  ])('stays with the %s it was entered for', async (address, secret, first, same, other) => {
    const world = await aWorld()
    const save = (changes: Readonly<Record<string, string>>) =>
      world.admin.put('/api/option/batch', {
        changes: Object.entries(changes).map(([key, value]) => ({ key, value })),
      })
    const stored = () => world.gateway.inner.settings.all().find(({ key }) => key === address)?.value
    dataOf(await save({ [address]: first }))
    dataOf(await save({ [secret]: 'a-secret-of-one' }))
    dataOf(await save({ [address]: same }))
    for (const next of [other, '']) {
      const reply = await save({ [address]: next })
      expect(reply.message).toMatch(/^Enter or remove “.+” as well/)
      expect(JSON.stringify(reply.body)).not.toContain('a-secret-of-one')
      expect((await world.admin.put('/api/option', { key: address, value: next })).success).toBe(false)
    }
    expect((await world.admin.post('/api/option/reset', { key: address })).message).toMatch(/^Enter or remove/)
    expect(stored()?.toLowerCase()).toContain('one.example')
    dataOf(await save({ [address]: other, [secret]: 'a-secret-of-two' }))
    dataOf(await save({ [address]: '', [secret]: '' }))
    expect(stored()).toBe('')
  })
})
