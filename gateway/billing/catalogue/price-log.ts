import { logType } from '../../../shared/enums.ts'
import type { MessageKey } from '../../../shared/messages/en.ts'
import { formatMessage, type Locale, type MessageParams } from '../../../shared/messages/format.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import type { PriceAuthor } from './price-maps.ts'

export type PriceActor = PriceAuthor & Readonly<{ locale: Locale }>

const MAX_NAMES = 10

/** Writes a log row, visible only to administrators: who changed the prices of which models. */
export function notePrices(
  { auditLog, clock }: Readonly<{ auditLog: AuditLog; clock: Clock }>,
  { id, username, locale }: PriceActor,
  change: Readonly<{ key: MessageKey; models: readonly string[]; params?: MessageParams }>,
): void {
  const { key, models, params } = change
  const names = models.slice(0, MAX_NAMES).join(', ') + (models.length > MAX_NAMES ? ', …' : '')
  auditLog.record({
    user_id: 0,
    created_at: unixSeconds(clock),
    type: logType.manage,
    content: formatMessage(locale, key, { actor: username, count: models.length, names, ...params }),
    other: JSON.stringify({ admin_info: id === 0 ? {} : { actor: { id, username } } }),
  })
}
