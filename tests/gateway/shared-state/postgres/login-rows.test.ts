import { expect, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { createVault } from '../../../../gateway/base/secrets/ciphers.ts'
import { createEphemeralRows } from '../../../../gateway/shared-state/postgres/ephemeral-rows.ts'
import { loginRows } from '../../../../gateway/shared-state/postgres/login-rows.ts'
import { type Node, twoNodes } from './two-nodes.ts'

const vault = createVault(Buffer.alloc(32, 7))
const rowsOf = ({ run }: Node, max?: number) =>
  createEphemeralRows({ run, vault, log: silentLogger, ...(max === undefined ? {} : { max }) })

const started = {
  provider: 'oidc',
  browser: 'b',
  userId: 0,
  inviteCode: '',
  invitation: '',
  origin: 'https://a.example',
  proof: { verifier: 'a secret verifier', nonce: 'n' },
}
const waiting = { userId: 5, method: 'password', password: 'hash', attempt: 3 }
const expire = ({ run }: Node) => run(`update ephemeral set until = clock_timestamp() - interval '1 s'`)

it('a login that begins on one node is completed on the other, once by two at the same time', async () => {
  const [one, other] = await twoNodes()
  const [first, second] = [loginRows(rowsOf(one)), loginRows(rowsOf(other))]
  for (let round = 0; round < 10; round += 1) {
    await first.oauthStates.put('state', started)
    const taken = await Promise.all([first, second].map(({ oauthStates }) => oauthStates.take('state')))
    expect(taken.filter(Boolean)).toEqual([started])
  }
  const ceremony = { purpose: 'login', browser: 'b', userId: 0, userHandle: '', origin: 'o', rpId: 'r' } as const
  await first.passkeyChallenges.put('challenge', ceremony)
  expect(await second.passkeyChallenges.take('challenge')).toEqual(ceremony)
  expect(await first.passkeyChallenges.take('challenge')).toBeUndefined()
  await first.pendingLogins.put('mark', waiting)
  expect(await second.pendingLogins.find('mark')).toEqual(waiting)
  await second.pendingLogins.drop('mark')
  expect(await first.pendingLogins.find('mark')).toBeUndefined()
})

it('neither keys nor values can be read in the table', async () => {
  const [one] = await twoNodes()
  const { oauthStates, mailCodes } = loginRows(rowsOf(one))
  await oauthStates.put('the state', started)
  await mailCodes.put('reset', 'ann@a.example', '123456', 3)
  const text = JSON.stringify(await one.run('select * from ephemeral'))
  expect(text).toContain('oauth state')
  expect(text).not.toMatch(/the state|verifier|a\.example|123456/)
})

it('a mailed code is used once by two nodes at the same time', async () => {
  const [one, other] = await twoNodes()
  const nodes = [one, other].map((node) => loginRows(rowsOf(node)).mailCodes)
  for (let round = 0; round < 10; round += 1) {
    await nodes[0]?.put('reset', 'ann', '123456', 3)
    const results = await Promise.all(nodes.map((codes) => codes.take('reset', 'ann', '123456')))
    expect(results.toSorted()).toEqual([false, true])
  }
})

it('wrong codes are counted over both nodes', async () => {
  const [one, other] = await twoNodes()
  const [first, second] = [loginRows(rowsOf(one)).mailCodes, loginRows(rowsOf(other)).mailCodes]
  await first.put('reset', 'ann', '123456', 3)
  expect(await first.take('reset', 'ann', 'wrong')).toBe(false)
  expect(await second.take('reset', 'ann', 'wrong')).toBe(false)
  expect(await second.take('verify', 'ann', '123456')).toBe(false)
  expect(await first.take('reset', 'ann', '123456')).toBe(true)
  await second.put('reset', 'ann', '654321', 3)
  const wrong = [first, second, first].map((codes) => codes.take('reset', 'ann', 'wrong'))
  expect(await Promise.all(wrong)).toEqual([false, false, false])
  expect(await second.take('reset', 'ann', '654321')).toBe(false)
})

it('a code may have any number of attempts', async () => {
  const [one] = await twoNodes()
  const { mailCodes } = loginRows(rowsOf(one))
  await mailCodes.put('reset', 'ann', 'a long secret', Number.POSITIVE_INFINITY)
  for (let tries = 0; tries < 5; tries += 1) expect(await mailCodes.take('reset', 'ann', 'wrong')).toBe(false)
  expect(await mailCodes.take('reset', 'ann', 'a long secret')).toBe(true)
  expect(await mailCodes.take('reset', 'ann', 'a long secret')).toBe(false)
})

it('an answer of a provider is used once, by any node', async () => {
  const [one, other] = await twoNodes()
  const [here, there] = [loginRows(rowsOf(one)), loginRows(rowsOf(other))]
  const uses = await Promise.all([here, there, here].map(({ usedAnswers }) => usedAnswers.use('signature')))
  expect(uses.filter(Boolean)).toHaveLength(1)
  expect(await there.usedAnswers.use('another')).toBe(true)
})

it('expired logins and codes count no more, and are removed', async () => {
  const [one, other] = await twoNodes()
  const rows = rowsOf(one)
  const { oauthStates, mailCodes, pendingLogins } = loginRows(rows)
  await oauthStates.put('state', started)
  await mailCodes.put('reset', 'ann', '123456', 3)
  await pendingLogins.put('mark', waiting)
  await expire(other)
  expect(await oauthStates.take('state')).toBeUndefined()
  expect(await pendingLogins.find('mark')).toBeUndefined()
  expect(await mailCodes.take('reset', 'ann', '123456')).toBe(false)
  await pendingLogins.put('other', waiting)
  await rows.removeOld()
  expect(await other.run('select kind from ephemeral')).toEqual([{ kind: 'pending login' }])
  expect(await pendingLogins.find('other')).toEqual(waiting)
})

it('stores a limited number of each kind, the newest', async () => {
  const [one] = await twoNodes()
  const { oauthStates, pendingLogins } = loginRows(rowsOf(one, 3))
  await pendingLogins.put('mark', waiting)
  for (const state of ['a', 'b', 'c', 'd', 'e']) await oauthStates.put(state, started)
  const found = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((state) => oauthStates.take(state)))
  expect(found.map((login) => login !== undefined)).toEqual([false, false, true, true, true])
  expect(await pendingLogins.find('mark')).toEqual(waiting)
})
