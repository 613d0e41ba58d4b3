import { type RedemptionSort, redemption } from '../../../shared/api/redemption.ts'
import { redemptionStore } from '../../store/ledger/redemptions.ts'
import { pageAtNumber } from '../../store/page.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import { redemptionViewOf } from '../../wallet/redemption-codes.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { managerOf } from '../account/user-admin.ts'
import type { ApiCaller } from '../actor.ts'
import { serve } from '../serve.ts'

type RedemptionApiDeps = Readonly<{
  /** Used for lists, which may be long. */
  reader: Pick<Reader, 'until'>
  wallet: Pick<Wallet, 'codes'>
}>

/** Redemption codes, created by administrators (docs/reference/wallet.md#redemption-codes). */
export function redemptionApi({ reader, wallet: { codes } }: RedemptionApiDeps) {
  const page = async (keyword: string, { sort, p, page_size }: Part, caller: ApiCaller) => {
    const codeStore = redemptionStore(reader.until(caller))
    const { rows, total } = await codeStore.page({ keyword, sort }, pageAtNumber(p, page_size))
    return { items: rows.map(redemptionViewOf), total, page: p, page_size }
  }
  return serve(redemption, {
    list: ({ query, caller }) => page('', query, caller),
    search: ({ query, caller }) => page(query.keyword, query, caller),
    one: ({ params }) => codes.one(params.id),
    create: ({ body, actor, caller }) => codes.create(managerOf(actor, caller), body),
    update: ({ body, query, actor, caller }) => codes.update(managerOf(actor, caller), body, query.status_only),
    removeInvalid: ({ actor, caller }) => codes.removeInvalid(managerOf(actor, caller)),
    remove: async ({ params, actor, caller }) => {
      await codes.remove(managerOf(actor, caller), params.id)
      return null
    },
  })
}

type Part = Readonly<{ sort?: RedemptionSort; p: number; page_size: number }>
