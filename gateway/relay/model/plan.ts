import type { BillableExtras, PotentialExtras } from '../../billing/billable-extras.ts'
import type { Price } from '../../billing/price.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Tier } from '../../channels/registry/picker.ts'

/** What a call may use, as far as it can be told beforehand; in tokens. */
export type Expected = Readonly<{
  /** The prompt as it is likely to be, and as it may be at most. */
  prompt: number
  maxPrompt: number
  /** The longest output of all choices together. */
  output: number
  /** Less than this of output is no answer. */
  minOutput: number
  /** The request may be sent with a limit to its output. */
  isLimitable: boolean
  choices: number
  /** Thought that each choice may have beside the limit of its output. */
  unlimitedReasoning: number
  /** Part of the output is thought that a stream does not show. */
  hasHiddenReasoning: boolean
  /** What the answer costs beside its text only its end tells. */
  isToldAtEnd: boolean
  possible: PotentialExtras | undefined
}>

/** What a caller was admitted to: group, channels to choose from, price, and the quota to set aside. */
export type Plan = Readonly<{
  group: string
  tiers: readonly Tier[]
  /** The one channel an administrator forces; no selection and no retry then. */
  forced: ActiveChannel | null
  price: Price
  holdQuota: number
  /** Less than this is not worth a call: it pays for the prompt and the shortest of answers. */
  minHoldQuota: number
  /** What the call may use. */
  expected: Expected
  /** What is asked for beyond tokens. */
  extras: BillableExtras
  quotaPerUnit: number
}>

/** The channels that a call may be asked of: the one an administrator forces, else those of its group that offer its model. */
export const offeredIn = ({ forced, tiers }: Plan): readonly ActiveChannel[] =>
  forced ? [forced] : tiers.flatMap(({ members }) => members.map(({ channel }) => channel))
