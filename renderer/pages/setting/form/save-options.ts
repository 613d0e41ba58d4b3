import type { OptionConflict } from '../../../../shared/api/option.ts'
import { type OptionKey, options } from '../../../../shared/options/index.ts'
import type { CallFailure } from '../../../api/call-failure.ts'
import { conflictsIn } from '../../../api/option-conflicts.ts'

export type Change = Readonly<{
  key: OptionKey
  value: string
  /** The stored value when editing began, or the time of a secret's last change; undefined if not loaded. */
  base: string | undefined
}>

/** The outcome of a save: what was stored, what the gateway refused, and what prevented the rest from being sent. */
export type SaveOutcome = Readonly<{
  saved: readonly OptionKey[]
  refused: ReadonlyMap<OptionKey, CallFailure>
  /** No response, or a failure common to all changes; undefined if all were sent. */
  failure: CallFailure | undefined
}>

/** Concurrent changes by others, each once; one failure may report several. */
export const conflictsOf = ({ refused }: SaveOutcome): readonly OptionConflict[] =>
  [...refused].flatMap(([key, failure]) => conflictsIn(failure).filter((one) => one.key === key))

/** Sends changes that must be saved together, usually one; resolves to the failure, or undefined. */
export type PutOptions = (changes: readonly Change[]) => Promise<CallFailure | undefined>

/**
 * Saves changes in the order of docs/reference/screens.md#settings: flags one at a time, then the others in parallel, a
 * secret together with the address it is sent to, and last the flags that need a setting of the same save.
 */
export async function saveOptions(changes: readonly Change[], put: PutOptions): Promise<SaveOutcome> {
  const saved: OptionKey[] = []
  const refused = new Map<OptionKey, CallFailure>()
  let failure: CallFailure | undefined
  const send = async (together: readonly Change[]) => {
    if (failure) return
    const problem = await put(together)
    for (const { key } of together) {
      if (!problem) saved.push(key)
      else if (problem.kind === 'refused') refused.set(key, problem)
      else failure ??= problem
    }
  }
  const { first, last, others } = inOrder(changes)
  for (const change of first) await send([change])
  await Promise.all(withSecrets(others).map(send))
  for (const change of last) await send([change])
  return { saved, refused, failure }
}

/** Groups changes for sending: each on its own, but a secret with its changed address. */
function withSecrets(changes: readonly Change[]): (readonly Change[])[] {
  const addressOf = ({ key }: Change) => options[key].sentTo
  const isAddressed = (change: Change) => changes.some(({ key }) => key === addressOf(change))
  const ofOwn = changes.filter((change) => !isAddressed(change))
  return ofOwn.map((change) => [change, ...changes.filter((one) => addressOf(one) === change.key)])
}

function inOrder(changes: readonly Change[]) {
  const keys = new Set<string>(changes.map(({ key }) => key))
  const isFlag = ({ key }: Change) => options[key].wire === 'flag'
  const waits = ({ key, value }: Change) =>
    value === 'true' && (options[key].needs ?? []).some((need) => keys.has(need))
  const flags = changes.filter(isFlag)
  return {
    first: flags.filter((change) => !waits(change)),
    last: flags.filter(waits),
    others: changes.filter((change) => !isFlag(change)),
  }
}
