import type { z } from 'zod'
import type { MessageKey } from '../messages/en.ts'
import type { PanelName } from './panels.ts'

/** How a value is encoded in the API and the table, where it is always a string. */
export type WireValue = 'text' | 'flag' | 'number' | 'json'

/** One setting, declared once; gateway, console, status response and tests derive from it. */
export interface Option<T> extends Declaration<T> {
  /** Used while the table has no readable row. */
  readonly default: T
}

/**
 * The control for a value, if its wire format does not determine it: multi-line text, one entry per line, an address, a
 * list of mail domains, a quota amount, or one of several values. By default: one line, a switch, a number, or JSON.
 */
export type Control = 'area' | 'lines' | 'address' | 'domains' | 'amount' | 'choice'

interface Declaration<T> {
  readonly wire: WireValue
  readonly control?: Control
  readonly words?: readonly string[]
  /** Validates the decoded value and may normalize it. The `error` of each check is a message key. */
  readonly schema: z.ZodType<T>
  /** For a text: why it can no longer be saved, though it was accepted before; a stored value stays in effect. */
  readonly unsaved?: (value: string) => MessageKey | undefined
  /** For a number: its range, shown next to its field and in refusals. */
  readonly bounds?: Bounds
  /** The console panel; null for a setting without a field. */
  readonly panel: PanelName | null
  /** Written but never read back by anyone (docs/reference/options.md#secrets). */
  readonly secret?: true
  /**
   * For a secret: the setting with the address it is sent to (docs/reference/security.md#secrets-and-their-addresses).
   */
  readonly sentTo?: string
  /** Its name in the public status (docs/reference/api.md#status). */
  readonly publishAs?: string
  /** Settings that must be filled in before this flag may be turned on. */
  readonly needs?: readonly string[]
}

export const option = <T>(declaration: Declaration<T> & { readonly default: NoInfer<T> }): Option<T> => declaration

/** The range of a number: from `min`, or above `above`, to `max`; with `least`, any nonzero value is at least that. */
export type Bounds = Readonly<{ max: number; isWhole?: boolean; least?: number }> &
  (Readonly<{ min: number }> | Readonly<{ above: number }>)
