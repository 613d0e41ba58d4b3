import { createHash, createHmac } from 'node:crypto'
import type { TelegramUser } from '../../../shared/api/oauth.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { isSameSecret } from '../../base/ids.ts'
import type { Logger } from '../../base/log/logger.ts'
import { createRareWarning } from '../../base/log/rare-warning.ts'
import type { Settings } from '../../settings/settings.ts'
import { ANSWER_SECONDS, type UsedAnswers } from '../../shared-state/used-answers.ts'

/** Seconds for which a widget response is valid: the browser delivers it immediately. */
const FRESH = 300
/** Seconds of clock skew allowed. */
const AHEAD = ANSWER_SECONDS - FRESH

type TelegramDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  clock: Clock
  usedAnswers: UsedAnswers
  log: Pick<Logger, 'warn'>
}>

/** Returns the Telegram id of a widget response. Each response is accepted only once. */
export type TelegramIdentity = (shown: TelegramUser) => Promise<string>

export function createTelegramIdentity({ settings, clock, usedAnswers, log }: TelegramDeps): TelegramIdentity {
  const warnRarely = createRareWarning({ log, clock })
  return async (shown) => {
    const failed = failedCheck(shown, settings.get('TelegramBotToken'), unixSeconds(clock))
    if (failed) {
      warnRarely('a login by Telegram was refused', { failed })
      throw refuse('forbidden', 'oauth.bad_request')
    }
    if (!(await usedAnswers.use(shown.hash))) throw refuse('forbidden', 'oauth.used')
    return shown.id
  }
}

/**
 * Returns the name of the check that a Telegram login fails, or undefined if it passes all
 * (https://core.telegram.org/widgets/login#checking-authorization): the signature with the bot's token, the age of at
 * most five minutes, the form of the id. The signature check fails if no token is configured.
 */
function failedCheck(shown: TelegramUser, botToken: string, nowSeconds: number): string | undefined {
  const { hash, ...signed } = shown
  const dataCheckString = Object.entries(signed)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join('\n')
  const secret = createHash('sha256').update(botToken).digest()
  const expectedHash = createHmac('sha256', secret).update(dataCheckString).digest('hex')
  const age = nowSeconds - Number(shown.auth_date)
  // Values are joined by line breaks, so text after a line break inside a value could pass for another value.
  const isOneEach = Object.values(signed).every((value) => !value?.includes('\n'))
  const isFresh = age <= FRESH && age >= -AHEAD
  if (botToken === '' || !isOneEach || !isSameSecret(hash, expectedHash)) return 'signature'
  if (!isFresh) return 'age'
  return /^\d{1,20}$/.test(shown.id) ? undefined : 'id'
}
