import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Fields, Logger } from '../../../../gateway/base/log/logger.ts'
import { shown } from '../../../../gateway/relay/delivery/error-body.ts'
import { transportError } from '../../../../gateway/relay/upstream/gather.ts'
import { chatStream } from '../../../support/chat.ts'
import type { Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { CHAT, chat, errorEvent, onTheWire } from '../delivery/wire.ts'
import { lastReceipt, receiptsOf } from '../metering/receipts.ts'

const SECRET = 'canary-Zq81-of-the-channel'
const lines: string[] = []
const keep = (message: string, fields: Fields = {}) => {
  const told = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Error ? [value.message, value.stack, String(value.cause)] : value,
  ])
  lines.push(`${message} ${JSON.stringify(told)}`)
}
const log: Logger = { debug: keep, info: keep, warn: keep, error: keep }

let world: World
let alice: Person
let host: string

beforeAll(async () => {
  world = await aWorld({
    options: { SelfUseModeEnabled: true, RetryTimes: 1, AutomaticDisableChannelEnabled: true },
    log,
  })
  host = new URL(world.upstream.url).host
  for (const models of ['gpt-4o', 'gpt-4o', 'wrong-key'])
    await world.channel({ models, key: SECRET, auto_ban: models === 'wrong-key' ? 1 : 0 })
  await world.channel({ models: 'nobody', key: SECRET, base_url: 'http://127.0.0.1:1/canary-path' })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => {
  world.upstream.reset()
  lines.length = 0
})

const ask = async (model = 'gpt-4o', more: object = {}) =>
  onTheWire(world, CHAT, { key: await alice.key(), body: chat(model, more) })
const clean = (text: string, what: string) => {
  for (const secret of [SECRET, host, 'canary-host', 'canary-path', '127.0.0.1'])
    expect(text.includes(secret), `${secret} in ${what}: ${text.slice(0, 600)}`).toBe(false)
}
const allClean = async (answer: Awaited<ReturnType<typeof ask>>) => {
  clean(answer.text, 'the answer')
  clean(JSON.stringify(answer.headers), 'the headers')
  clean(lines.join('\n'), 'the log')
  const rows = await receiptsOf(world, alice.id)
  clean(JSON.stringify(rows.filter((row) => row.request_id === answer.headers['x-request-id'])), 'the log rows')
}
const told = () => `no ${SECRET} at ${world.upstream.url}/v1 or ${host}, see https://vendor.example/keys`
const error = () => ({ message: told(), type: 'invalid_request_error', param: `${SECRET}`, code: null })

describe('details that no caller sees (docs/reference/errors.md#never-disclosed)', () => {
  it.each<[string, () => Script]>([
    ['an object', () => ({ status: 401, body: { error: error() } })],
    ['a text', () => ({ status: 403, body: told() })],
    ['a page', () => ({ status: 502, body: `<html>${told()}</html>` })],
    ['a message', () => ({ status: 400, body: { message: told() } })],
    ['an error in a good status', () => ({ body: { error: error() } })],
    ['a text in a good status', () => ({ body: { error: told() } })],
    ['a redirect', () => ({ status: 302, headers: { location: `${world.upstream.url}/${SECRET}` } })],
    ['a limit', () => ({ status: 429, body: { error: error() } })],
  ])('the key, the address and the host of a channel, in %s', async (_, script) => {
    world.upstream.answers(script())
    const answer = await ask()
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.error.message).toContain(answer.headers['x-request-id'])
    await allClean(answer)
  })

  it.each([
    ['in one piece', {}],
    ['asked with usage', { stream_options: { include_usage: true } }],
  ])('the same in the middle of a stream, %s', async (_, more) => {
    const [first] = chatStream(['Hello'])
    const event = Buffer.from(`data: ${JSON.stringify({ error: error() })}\n\n`)
    const half = event.indexOf(SECRET) + 5
    for (const events of [
      [first!, event],
      [first!, event.subarray(0, half), event.subarray(half)],
    ]) {
      world.upstream.streams(events, { gapMs: 30 })
      const answer = await ask('gpt-4o', { stream: true, ...more })
      expect(errorEvent(answer.text).type).toBe('invalid_request_error')
      await allClean(answer)
    }
  })

  it('the same where the server does not respond, or the name does not exist', async () => {
    const answer = await ask('nobody')
    expect([answer.status, answer.error.code]).toEqual([502, 'do_request_failed'])
    await allClean(answer)
    const cause = transportError(Object.assign(new Error('getaddrinfo ENOTFOUND canary-host'), { code: 'ENOTFOUND' }))
    const { status, error } = shown(cause, { requestId: 'x', locale: 'en' })
    expect(status).toBe(502)
    clean(JSON.stringify(error) + cause.message, 'the error')
  })

  it('the same where a stream breaks off', async () => {
    world.upstream.streams(chatStream(['Hello']), { cutAfter: 1 })
    await allClean(await ask('gpt-4o', { stream: true }))
  })

  it('the same in the reason a channel was taken out of service', async () => {
    world.upstream.answers({ status: 401, body: { error: error() } })
    await allClean(await ask('wrong-key'))
    const rows = await world.gateway.inner.db
      .selectFrom('channels')
      .select('other_info')
      .where('models', '=', 'wrong-key')
      .execute()
    expect(rows[0]?.other_info).toContain('401')
    expect(rows[0]?.other_info).not.toContain(SECRET)
  })

  it('the same in every other part of the error, for any key', async () => {
    for (const key of ['12345678', 'null', '"}', 'a']) {
      await world.channel({ models: `odd-${key.length}`, key, auto_ban: 0 })
      const param = { at: [`x ${key}`], count: 12345678 }
      world.upstream.answers({ status: 400, body: { error: { message: 'no', type: 'x', code: 12345678, param } } })
      const { status, error } = await ask(`odd-${key.length}`)
      const code = key === '12345678' ? '***' : '12345678'
      expect([status, error.code, typeof error.param]).toEqual([400, code, 'string'])
      world.upstream.reset()
    }
  })

  it('addresses, accounts and keys in the facts of an error, as in its message', async () => {
    const type = 'http://10.0.0.5:8080/v1/x'
    const param = 'projects/my-secret-project-77 of org-abc12345def'
    const code = 'owner@example.com sk-12345678901234'
    world.upstream.answers({ status: 400, body: { error: { message: 'no', type, param, code } } })
    const { error } = await ask()
    expect(JSON.stringify(error)).not.toMatch(/10\.0\.0\.5|secret-project|abc12345|owner@|sk-1234/)
  })

  it('ordinary words are not changed', async () => {
    const message =
      'skeleton-keys, keyboard-shortcuts, user-friendly sub-sections, team-work and pkcs12-archives: 3.5 of 10 tasks failed'
    world.upstream.answers({
      status: 400,
      body: { error: { message, type: 'key_error', code: 'key-not-found-anywhere' } },
    })
    const answer = await ask()
    expect(answer.error.message).toContain(message)
    expect(answer.error).toMatchObject({ type: 'key_error', code: 'key-not-found-anywhere' })
  })

  it.each([
    [
      'Rate limit for gpt-4o in organization org-Ab12Cd34Ef56 on tokens',
      'Rate limit for gpt-4o in organization *** on tokens',
    ],
    ['Project proj_9aBcDeFgHiJ has no access', 'Project *** has no access'],
    [
      'Permission denied on resource projects/my-project-1234/locations/global',
      'Permission denied on resource ***/locations/global',
    ],
    ['User: arn:aws:iam::123456789012:user/bob may not', 'User: *** may not'],
    ['the account of bob.smith+ai@example.co.uk is suspended', 'the account of *** is suspended'],
  ])('nor the account behind it: %s', async (message, told) => {
    world.upstream.answers({ status: 400, body: { error: { message, type: 'x' } } })
    const answer = await ask()
    expect(answer.error.message).toContain(`${told} (request id: `)
    expect((await lastReceipt(world, alice.id)).content).toContain(told)
  })

  it('everything that looks like a key is masked', async () => {
    world.upstream.answers({
      status: 400,
      body: { error: { message: 'bad sk-proj-abcdef0123456789 and AIzaSyA1234567890abcdef', type: 'x' } },
    })
    const answer = await ask()
    expect(answer.error.message).toMatch(/^bad \*\*\* and \*\*\* \(/)
    expect((await lastReceipt(world, alice.id)).content).not.toContain('abcdef')
  })
})
