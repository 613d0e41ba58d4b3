import { createHash, createHmac } from 'node:crypto'
import type { TelegramUser } from '../../../shared/api/oauth.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { isSameSecret } from '../../base/ids.ts'
import type { Logger } from '../../base/logger.ts'
import { createRareWarning } from '../../base/rare-warning.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Rates } from '../../shared-state/rates.ts'

/** Seconds for which an answer counts: the browser brings it at once. */
const FRESH = 300
/** Clocks of two machines differ. */
const AHEAD = 300

type TelegramDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  clock: Clock
  rates: Rates
  log: Pick<Logger, 'warn'>
}>

/** Whose an answer of the widget is; each lets in, or binds, once. */
export type TelegramIdentity = (shown: TelegramUser) => Promise<string>

/**
 * Reads answers of the widget. Those that were used are remembered as long as they are fresh, in memory: after a restart one
 * counts once more.
 */
export function createTelegramIdentity({ settings, clock, rates, log }: TelegramDeps): TelegramIdentity {
  const warnRarely = createRareWarning({ log, clock })
  const used = rates.window({ name: 'telegram answer', limit: 1, windowSeconds: FRESH + AHEAD })
  return async (shown) => {
    const failed = failedCheck(shown, settings.get('TelegramBotToken'), unixSeconds(clock))
    if (failed) {
      warnRarely('a login by Telegram was refused', { failed })
      throw refuse('forbidden', 'oauth.bad_request')
    }
    if ((await used.take(shown.hash)) > 0) throw refuse('forbidden', 'oauth.used')
    return shown.id
  }
}

/**
 * What of a login of Telegram's widget does not hold (https://core.telegram.org/widgets/login#checking-authorization): signed with the
 * bot's token, and no older than five minutes. Nothing is believed where there is no token.
 */
function failedCheck(shown: TelegramUser, botToken: string, nowSeconds: number): string | undefined {
  const { hash, ...signed } = shown
  const said = Object.entries(signed)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join('\n')
  const secret = createHash('sha256').update(botToken).digest()
  const wanted = createHmac('sha256', secret).update(said).digest('hex')
  const age = nowSeconds - Number(shown.auth_date)
  // Between values there are line breaks: one within a value could pass for another value.
  const isOneEach = Object.values(signed).every((value) => !value?.includes('\n'))
  const isFresh = age <= FRESH && age >= -AHEAD
  if (botToken === '' || !isOneEach || !isSameSecret(hash, wanted)) return 'signature'
  if (!isFresh) return 'age'
  return /^\d{1,20}$/.test(shown.id) ? undefined : 'id'
}
