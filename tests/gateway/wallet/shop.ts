import { dataOf } from '../../support/client.ts'
import { anEpay, type Epay, type Fields } from '../../support/epay.ts'
import { atFileEnd } from '../../support/file-end.ts'
import { aWorld, type Options, type Person, type Wanted, type World } from '../../support/world.ts'

/** A gateway that sells quota through a payment provider, and a user who buys. */
export type Shop = Readonly<{ world: World; epay: Epay; alice: Person }>

/** Opens a shop, in which two dollars cost 14.60 by default. */
export async function aShop(options: Options = {}, wanted: Wanted = {}): Promise<Shop> {
  const epay = await anEpay()
  atFileEnd(epay.stop)
  const merchant: Options = { PayAddress: epay.url, EpayId: epay.pid, EpayKey: epay.key }
  const world = await aWorld({ ...wanted, options: { ...merchant, Price: 7.3, ...options } })
  if (options.ServerAddress === undefined) await world.option('ServerAddress', world.url)
  return { world, epay, alice: await world.user({ quota: 100 }) }
}

/** Creates an order of two dollars. */
export const order = async (person: Person, fields: object = {}) =>
  person.post('/api/user/pay', { amount: 2, top_up_code: '', payment_method: 'zfb', ...fields })

/** Creates an order; returns its payment form. */
export async function ordered({ alice }: Shop, fields: object = {}): Promise<Fields> {
  return dataOf(await order(alice, fields))
}

/** The row of a form's order. */
export const stateOf = async ({ world }: Shop, form: Fields) => {
  const { db } = world.gateway.inner
  return db
    .selectFrom('top_ups')
    .selectAll()
    .where('trade_no', '=', form.out_trade_no ?? '')
    .executeTakeFirstOrThrow()
}
