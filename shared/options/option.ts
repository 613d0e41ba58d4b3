import type { z } from 'zod'
import type { MessageKey } from '../messages/en.ts'
import type { PanelName } from './panels.ts'

/** How a value crosses the API and sits in the table, where it is always a string. */
export type WireValue = 'text' | 'flag' | 'number' | 'json'

/** One setting, declared once; the gateway, the console, the status answer and the tests derive from it. */
export interface Option<T> extends Declaration<T> {
  /** Holds while the table has no readable row. */
  readonly default: T
}

/**
 * How a person enters a value that its wire form does not tell of: text of several lines, one entry a line, an address, a
 * list of mail domains, an amount of quota, one of a few words. Without it: one line, a switch, a number, or JSON.
 */
export type Control = 'area' | 'lines' | 'address' | 'domains' | 'amount' | 'choice'

interface Declaration<T> {
  readonly wire: WireValue
  readonly control?: Control
  /** The words of a choice, in their order. */
  readonly words?: readonly string[]
  /** Accepts the decoded value and may tidy it. The `error` of each check is a message key. */
  readonly schema: z.ZodType<T>
  /** Of a text: why it is saved no more where it was taken before; what is stored stays in force. */
  readonly unsaved?: (value: string) => MessageKey | undefined
  /** Of a number, which always has some: what it may be, told beside its field and in refusals. */
  readonly bounds?: Bounds
  /** Where the console shows it; null for a setting without a field. */
  readonly panel: PanelName | null
  /** Written but never read back by anyone (docs/reference/options.md#secrets). */
  readonly secret?: true
  /** Of a secret: the setting with the address it is sent to (docs/reference/security.md#secrets-stay-where-they-were-entered-for). */
  readonly sentTo?: string
  /** Its name in the public status (docs/reference/api.md#status). */
  readonly publishAs?: string
  /** Settings that must be filled in before this flag may be turned on. */
  readonly needs?: readonly string[]
}

/** Declares a setting; the type of its value is that of its schema. */
export const option = <T>(declaration: Declaration<T> & { readonly default: NoInfer<T> }): Option<T> => declaration

/** What a number may be: from `min`, or above `above`, to `max`; with `least`, what is not 0 is no less than that. */
export type Bounds = Readonly<{ max: number; isWhole?: boolean; least?: number }> &
  (Readonly<{ min: number }> | Readonly<{ above: number }>)
