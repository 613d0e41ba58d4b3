import './telegram-field.css'
import type { TelegramUser } from '../../../shared/api/oauth.ts'
import { later } from '../later.tsx'
import { useProviderStatus } from './offered-providers.ts'

/** Loaded separately, because most gateways do not use it. */
const TelegramWidget = later(async () => (await import('./telegram-widget.tsx')).TelegramWidget)

/** Telegram's button; its space is reserved until it has loaded. */
export function TelegramField({ onUser }: { onUser: (user: TelegramUser) => void }) {
  const status = useProviderStatus()
  return (
    <div className="telegram-field">
      {status && <TelegramWidget key={status.telegram_bot_name} bot={status.telegram_bot_name} onUser={onUser} />}
    </div>
  )
}
