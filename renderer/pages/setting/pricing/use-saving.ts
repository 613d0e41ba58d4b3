import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { option } from '../../../../shared/api/option.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { send } from '../../../api/client.ts'
import { conflictsIn } from '../../../api/option-conflicts.ts'
import { areaOf } from '../../../api/use-call.ts'
import { clearToasts, showFailure, showSuccess, showWarning } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { changesBetween, saveMaps, textsIn, type Writer } from './option-texts.ts'
import { type Conflict, conflictsOf, type Edits } from './three-way.ts'

/** Saves edits of values that several users may change at once. */
export type Saving<T> = Readonly<{
  isBusy: boolean
  /** Concurrent changes by others; nothing is saved before each is resolved. */
  conflicts: readonly Conflict<T>[]
  /** Merges the edits into the options as stored now; resolves to true on success. */
  save(edits: Edits<T>): Promise<boolean>
  /** Resolves conflicts: entries in `theirs` stay as stored, the others are overwritten. */
  decide(theirs: ReadonlySet<string>): Promise<boolean>
  giveUp(): void
}>

/**
 * Saves edits entry by entry (docs/reference/screens.md#pricing-editors): reloads the options first, preserves other
 * users' changes of other entries, and asks about entries changed by both.
 */
export function useSaving<T>(writer: Writer<T>): Saving<T> {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [pending, setPending] = useState<PendingSave<T>>()
  const write = async (edits: Edits<T>, triesLeft = MAX_RETRIES): Promise<boolean> => {
    const now = textsIn(await send(option.list, {}))
    const conflicts = conflictsOf(edits, writer.read(now))
    setPending(conflicts.length > 0 ? { edits, conflicts } : undefined)
    if (conflicts.length > 0) return false
    try {
      await saveMaps(changesBetween(writer.keys, now, writer.write(now, edits)))
    } catch (error) {
      // Someone else wrote between the read and the write; starts over with the stored values.
      if (conflictsIn(error).length > 0 && triesLeft > 0) return write(edits, triesLeft - 1)
      if (error instanceof CallFailure && error.status !== 401) showFailure(error)
      throw error
    }
    showSuccess(t('option.saved'))
    return true
  }
  const save = async (edits: Edits<T>) => {
    clearToasts()
    if (edits.size === 0) {
      showWarning(t('option.nochange'))
      return false
    }
    setBusy(true)
    try {
      return await write(edits)
    } catch (error) {
      // The call has shown the error in a toast; the input stays.
      if (error instanceof CallFailure) return false
      throw error
    } finally {
      await queries.invalidateQueries({ queryKey: [areaOf(option.list)] })
      // Prices and groups also show on other pages; not awaited.
      void queries.invalidateQueries()
      setBusy(false)
    }
  }
  return {
    isBusy,
    conflicts: pending?.conflicts ?? [],
    save,
    decide: async (theirs) => (pending ? save(withDecisions(pending, theirs)) : false),
    giveUp: () => setPending(undefined),
  }
}

/** Further attempts after a concurrent write, before it is reported as an error. */
const MAX_RETRIES = 3

type PendingSave<T> = Readonly<{ edits: Edits<T>; conflicts: readonly Conflict<T>[] }>

/**
 * The edits with the decisions applied: their base is the stored value the user has seen, so that another change
 * meanwhile asks again.
 */
function withDecisions<T>({ edits, conflicts }: PendingSave<T>, theirs: ReadonlySet<string>): Edits<T> {
  const next = new Map(edits)
  for (const { name, mine, now } of conflicts) {
    if (theirs.has(name)) next.delete(name)
    else next.set(name, { base: now, mine })
  }
  return next
}
