import { createHash, createHmac } from 'node:crypto'
import type { TelegramUser } from '../../../shared/api/oauth.ts'
import { refuse } from '../../base/errors.ts'
import { isSameSecret } from '../../base/ids.ts'

const DAY = 86_400
/** Clocks of two machines differ. */
const AHEAD = 300

/**
 * Whose a login of Telegram's widget is (https://core.telegram.org/widgets/login#checking-authorization): signed with the
 * bot's token, and no older than a day. Nothing is believed where there is no token.
 */
export function telegramIdentity(shown: TelegramUser, botToken: string, nowSeconds: number): string {
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
  const isFresh = age <= DAY && age >= -AHEAD
  const isSigned = botToken !== '' && isOneEach && isSameSecret(hash, wanted)
  if (!isSigned || !isFresh || !/^\d{1,20}$/.test(shown.id)) throw refuse('forbidden', 'oauth.bad_request')
  return shown.id
}
