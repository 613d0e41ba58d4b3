import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createConnectService } from '../../../gateway/connect/connect-service.ts'
import { connectClients } from '../../../shared/connect/clients.ts'
import { aWorld } from '../../support/world.ts'

/** A gateway with a model, a user with a key, and a home folder. */
async function aFixture() {
  const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel({ models: 'gpt-4o' })
  const alice = await world.user({ quota: 1_000_000 })
  const home = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const machine = { platform: 'linux', home, variables: {} }
  const fixture = createConnectService({
    address: world.url,
    dataFolder: join(world.folder, 'connect'),
    clock: world.clock,
    machine,
  })
  const ask = { client: 'claude-code', key: `sk-${await alice.key()}`, model: 'gpt-4o' }
  const sealed = (over: object = {}) => {
    const plan = fixture.plan({ ...ask, ...over })
    if ('problem' in plan) throw new Error(plan.problem)
    return { ...ask, ...over, seal: plan.seal }
  }
  return { world, alice, home, fixture, ask, sealed }
}

describe('the connect service for window and shell (docs/reference/connect.md#permissions)', () => {
  it.each(connectClients.filter(({ files }) => files).map(({ id, dialect }) => [id, dialect] as const))(
    'sets %s up and tries it in its dialect (%s), charged like any request',
    async (client) => {
      const { world, alice, fixture, sealed } = await aFixture()
      const before = await alice.quota()
      expect(await fixture.apply(sealed({ client }))).toEqual({
        done: true,
        trial: { ok: true, ms: expect.any(Number) },
      })
      expect(world.upstream.requests).toHaveLength(1)
      expect(await alice.quota()).toBeLessThan(before)
      expect(fixture.status()[client]).toMatchObject({ isSetUp: true, isChanged: false })
    },
  )

  it('reports the gateway’s response to an unknown key, after writing the file', async () => {
    const { fixture, home, sealed } = await aFixture()
    const key = 'sk-of-nobody-at-all-1234567890'
    const applied = await fixture.apply(sealed({ key }))
    expect(applied).toMatchObject({ done: true, trial: { ok: false, status: 401 } })
    expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toContain(key)
  })

  it('reports a gateway that does not respond', async () => {
    const { world, fixture, sealed } = await aFixture()
    const asked = sealed()
    await world.gateway.stop()
    expect(await fixture.apply(asked)).toMatchObject({ done: true, trial: { ok: false, status: 0 } })
  })

  it('writes only for programs of its table, with a key and a model that no file interprets otherwise', async () => {
    const { fixture, home, ask, sealed } = await aFixture()
    const good = sealed()
    const wrong: readonly unknown[] = [
      undefined,
      null,
      'claude-code',
      {},
      { ...good, client: '../../etc/passwd' },
      { ...good, client: 'cursor' },
      { ...good, client: 'constructor' },
      { ...good, client: { id: 'codex' } },
      { ...good, key: '' },
      { ...good, key: 'two words' },
      { ...good, key: 'sk-"\n[x]' },
      { ...good, model: '$(touch /tmp/x)' },
      { ...good, model: 'a\nb' },
      { ...good, model: 'x'.repeat(300) },
      { ...good, seal: 'none' },
    ]
    for (const asked of wrong) {
      expect(await fixture.apply(asked)).toMatchObject({ problem: 'input' })
      if (typeof asked === 'object' && asked && 'seal' in asked && asked.seal !== 'none')
        expect(fixture.plan(asked)).toMatchObject({ problem: 'input' })
    }
    expect(fixture.undo({ client: 'nothing' })).toMatchObject({ problem: 'input' })
    const more = { ...good, path: join(home, 'elsewhere'), address: 'http://elsewhere.example' }
    expect(await fixture.apply(more)).toMatchObject({ done: true })
    expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).not.toContain('elsewhere')
    expect(ask.client).toBe('claude-code')
  })

  it('writes nothing with the seal of another plan, and returns what it would write', async () => {
    const { fixture, sealed } = await aFixture()
    const asked = { ...sealed(), seal: '0'.repeat(64) }
    const answer = await fixture.apply(asked)
    expect(answer).toMatchObject({ done: false, plan: { files: [{ isNew: true }] } })
    expect(fixture.status()['claude-code']).toMatchObject({ isSetUp: false })
  })

  it('never returns the key, in a plan or in a status', async () => {
    const { fixture, ask, sealed } = await aFixture()
    for (const { id } of connectClients.filter(({ files }) => files)) {
      expect(JSON.stringify(fixture.plan({ ...ask, client: id }))).not.toContain(ask.key)
      await fixture.apply(sealed({ client: id }))
    }
    expect(JSON.stringify(fixture.status())).not.toContain(ask.key)
  })
})
