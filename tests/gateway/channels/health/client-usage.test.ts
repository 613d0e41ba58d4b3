import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ClientUsage, clientFamily, createClientUsage } from '../../../../gateway/channels/health/client-usage.ts'
import { noJobs } from '../../../support/no-jobs.ts'
import { dialects, type Opened, openEmpty } from '../workshop.ts'

describe('the family of a client', () => {
  it.each([
    ['OpenAI/Python 1.99.0', 'openai-python'],
    ['AsyncOpenAI/Python 1.99.0', 'openai-python'],
    ['OpenAI/JS 5.1.0', 'openai-node'],
    ['Anthropic/Python 0.60.0', 'anthropic-sdk'],
    ['Anthropic/JS 0.60.0', 'anthropic-sdk'],
    ['google-genai-sdk/1.2.0 gl-python/3.12', 'google-genai'],
    ['claude-cli/1.0.60 (external, cli)', 'claude-code'],
    ['codex_cli_rs/0.20.0 (Debian)', 'codex'],
    ['curl/8.5.0', 'curl'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'browser'],
    ['python-requests/2.32', 'other'],
    ['', 'other'],
    [`${'x'.repeat(300)}codex`, 'other'],
  ])('%s is %s', (userAgent, family) => expect(clientFamily(userAgent)).toBe(family))
})

describe.each(dialects)('client usage, on %s', (kind) => {
  let opened: Opened
  let seen: ClientUsage
  beforeAll(async () => {
    opened = await openEmpty(kind)
  })
  beforeEach(async () => {
    await opened.db.deleteFrom('channel_upstream_seen').execute()
    seen = createClientUsage({ db: opened.db, jobs: noJobs })
  })
  afterAll(() => opened.close())

  it('is grouped, the newest group and family first', async () => {
    seen.note(1, 'default', 'curl/8', 100)
    seen.note(1, 'vip', 'curl/8', 150)
    seen.note(1, 'default', 'OpenAI/JS 5', 200)
    seen.note(2, 'default', 'curl/8', 300)
    expect(await seen.list(1)).toEqual([
      { group: 'default', client_types: ['openai-node', 'curl'], first_seen: 100, last_seen: 200 },
      { group: 'vip', client_types: ['curl'], first_seen: 150, last_seen: 150 },
    ])
    expect(await seen.list(3)).toEqual([])
    await seen.stop()
  })

  it('is written at most once a minute and preserves the first time', async () => {
    seen.note(1, 'default', 'curl/8', 100)
    await seen.flush()
    seen.note(1, 'default', 'curl/9', 159)
    expect(await seen.list(1)).toMatchObject([{ first_seen: 100, last_seen: 100 }])
    seen.note(1, 'default', 'curl/8', 160)
    expect(await seen.list(1)).toMatchObject([{ first_seen: 100, last_seen: 160 }])
    await seen.stop()
  })

  it('is saved when the gateway stops', async () => {
    seen.note(5, 'default', 'curl/8', 100)
    await seen.stop()
    expect(await createClientUsage({ db: opened.db, jobs: noJobs }).list(5)).toHaveLength(1)
  })
})
