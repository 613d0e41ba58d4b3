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

/** Saves edits of what several people may change at once. */
export type Saving<T> = Readonly<{
  isBusy: boolean
  /** What somebody else has changed since the edits began; nothing is saved before each of them is decided. */
  conflicts: readonly Conflict<T>[]
  /** Saves the edits into the options as they are stored now; true once that is done. */
  save(edits: Edits<T>): Promise<boolean>
  /** Goes on after conflicts: these entries stay as somebody else has left them, the others become what was edited. */
  decide(theirs: ReadonlySet<string>): Promise<boolean>
  /** Takes the question back; nothing is saved. */
  giveUp(): void
}>

/**
 * Saves edits entry by entry (docs/reference/screens.md#pricing-editors): the options are read again first, what somebody else
 * has changed of other entries stays, and what both have changed is asked about.
 */
export function useSaving<T>(writer: Writer<T>): Saving<T> {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [asked, setAsked] = useState<Asked<T>>()
  const write = async (edits: Edits<T>, triesLeft = MAX_TRIES): Promise<boolean> => {
    const now = textsIn(await send(option.list, {}))
    const conflicts = conflictsOf(edits, writer.read(now))
    setAsked(conflicts.length > 0 ? { edits, conflicts } : undefined)
    if (conflicts.length > 0) return false
    try {
      await saveMaps(changesBetween(writer.keys, now, writer.write(now, edits)))
    } catch (error) {
      // Somebody else was quicker, between the reading and the writing: what is stored now is looked at again.
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
      // The call has told why in a toast; what was typed stays.
      if (error instanceof CallFailure) return false
      throw error
    } finally {
      await queries.invalidateQueries({ queryKey: [areaOf(option.list)] })
      // Prices and groups show on other pages as well; they need not be waited for.
      void queries.invalidateQueries()
      setBusy(false)
    }
  }
  return {
    isBusy,
    conflicts: asked?.conflicts ?? [],
    save,
    decide: async (theirs) => (asked ? save(decided(asked, theirs)) : false),
    giveUp: () => setAsked(undefined),
  }
}

/** How often somebody else may be quicker before that is told as it is. */
const MAX_TRIES = 3

type Asked<T> = Readonly<{ edits: Edits<T>; conflicts: readonly Conflict<T>[] }>

/** The edits with what was decided: what is overwritten is known now, so that another change meanwhile is asked about again. */
function decided<T>({ edits, conflicts }: Asked<T>, theirs: ReadonlySet<string>): Edits<T> {
  const next = new Map(edits)
  for (const { name, mine, now } of conflicts) {
    if (theirs.has(name)) next.delete(name)
    else next.set(name, { base: now, mine })
  }
  return next
}
