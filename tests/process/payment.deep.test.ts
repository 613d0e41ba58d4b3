import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../gateway/store/sqlite/database.ts'
import { aClient, dataOf } from '../support/client.ts'
import { anEpay, type Fields } from '../support/epay.ts'
import { reconcile } from '../support/reconcile.ts'
import { aWorld, type Person } from '../support/world.ts'
import { aChild } from './child.ts'

/**
 * Rounds, each with one kill while ten notices and ten codes are in progress; fifty for `node
 * scripts/payment-kills.mjs`.
 */
const ROUNDS = Number(process.env.PAYMENT_KILLS ?? 5)
const AT_ONCE = 10
const QUOTA = 1_000_000

it(
  'kill -9 between a notice and its answer credits the order exactly once, and while codes are redeemed each of them (docs/reference/wallet.md#notices)',
  async () => {
    const epay = await anEpay()
    onTestFinished(() => epay.stop())
    const config = { SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64') }
    const options = { PayAddress: epay.url, EpayId: epay.pid, EpayKey: epay.key }
    const world = await aWorld({ config, options })
    await world.option('ServerAddress', world.url)
    const people: Person[] = []
    while (people.length < ROUNDS) people.push(await world.user())
    const forms: Fields[][] = []
    for (const person of people)
      forms.push(
        await Promise.all(
          Array.from({ length: AT_ONCE }, async () =>
            dataOf(await person.post('/api/user/pay', { amount: 2, payment_method: 'zfb' })),
          ),
        ),
      )
    const codes: string[][] = []
    for (const _ of people)
      codes.push(dataOf(await world.admin.post('/api/redemption', { name: 'c', quota: 3, count: AT_ONCE })))
    await world.gateway.stop()
    const redeem = (place: number, key: string, url: string) =>
      aClient(url, people[place]?.identity())
        .post('/api/user/topup', { key })
        .catch(() => undefined)

    const at = (form: Fields, url: string) => ({ ...form, notify_url: `${url}/api/user/epay/notify` })
    let unanswered = 0
    for (const [round, some] of forms.entries()) {
      const child = await aChild({ folder: world.folder, config })
      let heard = 0
      const told = some.map(async (form) => {
        const answer = await epay.tells(at(form, child.url))
        heard += 1
        // Killed while other calls are in progress, a little later in each round.
        if (heard === 1 + (round % AT_ONCE)) child.kill('SIGKILL')
        return answer
      })
      const redeemed = (codes[round] ?? []).map((key) => redeem(round, key, child.url))
      const [answers, replies] = [await Promise.all(told), await Promise.all(redeemed)]
      expect((await child.ended).signal).toBe('SIGKILL')
      unanswered += answers.filter((answer) => answer === undefined).length
      const credits = await creditsOf(world.folder)
      for (const [place, reply] of replies.entries())
        if (reply?.success) expect(credits.get(codes[round]?.[place]), 'whoever was told so has it').toBe(1)
      for (const [place, answer] of answers.entries()) {
        if (answer === undefined) continue
        expect(answer).toBe('success')
        expect(credits.get(some[place]?.out_trade_no), 'whoever is told so has it').toBe(1)
      }
    }
    expect(unanswered).toBeGreaterThan(0)

    // The provider repeats each notice until it is acknowledged, many at the same time, and then once more.
    const child = await aChild({ folder: world.folder, config })
    for (const some of [...forms, ...forms])
      for (const answer of await Promise.all(some.map((form) => epay.tells(at(form, child.url)))))
        expect(answer).toBe('success')
    for (const [place, keys] of codes.entries())
      for (const key of keys) expect((await redeem(place, key, child.url))?.status).toBe(200)
    child.kill('SIGTERM')
    expect(await child.ended).toMatchObject({ code: 0, err: '' })

    const credits = await creditsOf(world.folder)
    expect([...credits.values()]).toEqual(Array.from({ length: 2 * ROUNDS * AT_ONCE }, () => 1))
    const { db, close } = await openDatabase(world.folder, 0)
    onTestFinished(close)
    const balances = await db.selectFrom('users').select('quota').where('role', '=', 1).execute()
    expect(balances.map(({ quota }) => quota)).toEqual(Array.from({ length: ROUNDS }, () => AT_ONCE * (QUOTA + 3)))
    expect(await db.selectFrom('logs').select('id').where('type', '=', 1).execute()).toHaveLength(2 * ROUNDS * AT_ONCE)
    expect(await reconcile(db)).toEqual([])
    if (process.env.PAYMENT_KILLS)
      process.stdout.write(
        `${ROUNDS} kills, ${unanswered} notices without an answer; ${credits.size} orders and codes, each credited once\n`,
      )
  },
  120_000 + ROUNDS * 10_000,
)

/**
 * How often each order and each code was credited, by its number or key; expects exactly the credited ones to be
 * closed.
 */
async function creditsOf(folder: string): Promise<ReadonlyMap<string | undefined, number>> {
  const { db, close } = await openDatabase(folder, 0)
  try {
    const orders = await db.selectFrom('top_ups').select(['trade_no as name', 'trade_no as ref', 'status']).execute()
    const codes = await db.selectFrom('redemptions').select(['key as name', 'id as ref', 'status']).execute()
    const credits = await db.selectFrom('ledger').select('ref_id').where('kind', 'in', ['topup', 'redeem']).execute()
    const refs = credits.map(({ ref_id }) => ref_id)
    const times = new Map<string, number>()
    for (const { name, ref, status } of [...orders, ...codes]) {
      const count = refs.filter((one) => one === String(ref)).length
      expect(['success', 3].includes(status), `${name} is closed`).toBe(count === 1)
      times.set(name, count)
    }
    return times
  } finally {
    await close()
  }
}
