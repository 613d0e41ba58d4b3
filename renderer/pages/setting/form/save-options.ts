import type { OptionConflict } from '../../../../shared/api/option.ts'
import { type OptionKey, options } from '../../../../shared/options/index.ts'
import type { CallFailure } from '../../../api/call-failure.ts'
import { conflictsIn } from '../../../api/option-conflicts.ts'

/** A value on its way to the gateway. */
export type Change = Readonly<{
  key: OptionKey
  value: string
  /** What was stored when the person began to change it; undefined for a secret, which nobody has seen. */
  base: string | undefined
}>

/** What became of a save: what is stored now, what the gateway refused, and what kept the rest from being sent. */
export type SaveOutcome = Readonly<{
  saved: readonly OptionKey[]
  refused: ReadonlyMap<OptionKey, CallFailure>
  /** No answer, or one that would be the same for every change; undefined when all were asked. */
  failure: CallFailure | undefined
}>

/** What others have stored meanwhile, each once; a failure of several changes tells of all of them. */
export const conflictsOf = ({ refused }: SaveOutcome): readonly OptionConflict[] =>
  [...refused].flatMap(([key, failure]) => conflictsIn(failure).filter((one) => one.key === key))

/** Sends changes that are saved together, nearly always one; resolves to why they failed, or to undefined. */
export type PutOptions = (changes: readonly Change[]) => Promise<CallFailure | undefined>

/**
 * Sends changes in the order of docs/reference/screens.md#settings: flags one at a time, then the others in parallel, a secret
 * with the address that it is sent to. A flag that is refused while something is empty that is filled in by the same save goes after that.
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

/** Each change by itself, but for a secret whose address changes as well. */
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
