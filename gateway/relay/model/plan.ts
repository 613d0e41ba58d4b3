import type { BillableExtras, PotentialExtras } from '../../billing/billable-extras.ts'
import type { Price } from '../../billing/price.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Tier } from '../../channels/registry/picker.ts'

/** What is known in advance about the usage of a call; sizes are in tokens, `output` is the maximum. */
export type Expected = Readonly<{
  /** The likely size of the prompt, its minimum by the bytes of its texts, and its maximum. */
  prompt: number
  minPrompt: number
  maxPrompt: number
  output: number
  /** Minimum output of a useful response. */
  minOutput: number
  /** An output limit may be added to the request. */
  isLimitable: boolean
  choices: number
  /** Reasoning tokens of each choice that the output limit does not include. */
  unlimitedReasoning: number
  /** Part of the output is reasoning that a stream does not show. */
  hasHiddenReasoning: boolean
  /** Costs other than text are only known at the end of the response. */
  isReportedAtEnd: boolean
  /** The vendor calls a server that the request names, which receives output while the model works. */
  callsServers: boolean
  /**
   * Parts of the prompt have a size that only the vendor knows: files, recordings, images by URL or of models that do
   * not document how they count them, stored turns, and what the vendor adds.
   */
  hasUnknownPrompt: boolean
  possible: PotentialExtras | undefined
}>

/** What a caller was admitted to: group, candidate channels, price, and the quota to reserve. */
export type Plan = Readonly<{
  group: string
  tiers: readonly Tier[]
  /** The only channel for the call: forced by an administrator, or required by what the call continues; no retries. */
  forced: ActiveChannel | null
  price: Price
  holdQuota: number
  /** The minimum reservation of a call: pays for the prompt and the shortest response. */
  minHoldQuota: number
  expected: Expected
  /** Requested extras other than tokens. */
  extras: BillableExtras
  quotaPerUnit: number
}>

/** The channels that may serve a call: the forced one, else those of its group that offer its model. */
export const offeredIn = ({ forced, tiers }: Pick<Plan, 'forced' | 'tiers'>): readonly ActiveChannel[] =>
  forced ? [forced] : tiers.flatMap(({ members }) => members.map(({ channel }) => channel))
