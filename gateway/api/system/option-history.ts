import { changeExtent, changeOrigin } from '../../../shared/api/option.ts'
import { type OptionChangeView, optionHistory } from '../../../shared/api/option-history.ts'
import { isOptionKey, options } from '../../../shared/options/index.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { type ListedChange, optionChangeStore } from '../../store/option-changes.ts'
import { pageAtNumber } from '../../store/page.ts'
import type { OptionChangeRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { type Served, serve } from '../serve.ts'
import type { OptionWriter } from './option-writer.ts'

type OptionHistoryDeps = Readonly<{ db: Db; writer: OptionWriter; clock: Clock }>

/** Changes of options, and undoing one (docs/reference/options.md#history). */
export function optionHistoryApi({ db, writer, clock }: OptionHistoryDeps): Served[] {
  const store = optionChangeStore(db)
  const found = async (id: number) => {
    const row = await store.byId(id, unixSeconds(clock))
    if (!row) throw refuse('missing', 'option.change_gone')
    return row
  }
  return serve(optionHistory, {
    list: async ({ query: { key, p, page_size } }) => {
      const now = unixSeconds(clock)
      const rows = await store.page(key, pageAtNumber(p, page_size), now)
      return { items: rows.map(listedView), total: await store.count(key, now), page: p, page_size }
    },
    one: async ({ params }) => viewOf(await found(params.id), false),
    undo: async ({ body, query, actor, caller }) => {
      const { key, before, after, kept } = await found(body.id)
      if (kept === 'secret' || isSecret(key)) throw refuse('invalid', 'option.undo_secret')
      if (before === null || after === null) throw refuse('invalid', 'option.undo_long')
      const base = body.even_if_changed ? undefined : after
      return writer.save([{ key, value: before, base }], { actor, caller, origin: 'undo', ...query })
    },
  })
}

const listedView = (row: ListedChange): OptionChangeView => {
  const isCut = (value: string | null, length: number | null) => value !== null && value.length < Number(length)
  return viewOf(row, isCut(row.before, row.before_length) || isCut(row.after, row.after_length))
}

function viewOf(row: Omit<OptionChangeRow, 'size'>, isCut: boolean): OptionChangeView {
  const { id, created_at, user_id, username, key, before, after } = row
  const kept = changeExtent.parse(row.kept)
  const view = { id, created_at, user_id, username, origin: changeOrigin.parse(row.origin), key }
  // An earlier release may have stored the values of an option that is secret today.
  if (kept === 'whole' && isSecret(key))
    return { ...view, kept: 'secret', before: secretAs(before), after: secretAs(after), is_cut: false, can_undo: false }
  return { ...view, kept, before, after, is_cut: isCut, can_undo: kept === 'whole' && isOptionKey(key) }
}

const secretAs = (value: string | null): string => (value ? 'set' : 'cleared')

const isSecret = (key: string): boolean => isOptionKey(key) && options[key].secret === true
