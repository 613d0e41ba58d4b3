import * as z from 'zod/mini'
import type { LoginProvider } from '../../../shared/api/oauth.ts'
import type { publicStatus } from '../../../shared/api/status.ts'
import { isWebLink } from '../../../shared/links.ts'
import { useStatus } from '../../api/status.ts'

/** Provider fields of the public status; parsed only here, since the first view does not need them. */
const providerStatus = z.object({
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  oidc_enabled: z.boolean(),
  oidc_client_id: z.string(),
  oidc_authorization_endpoint: z.string(),
  linuxdo_oauth: z.boolean(),
  linuxdo_client_id: z.string(),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  telegram_oauth: z.boolean(),
  telegram_bot_name: z.string(),
}) satisfies z.ZodMiniType<Partial<z.infer<typeof publicStatus>>>
export type ProviderStatus = z.infer<typeof providerStatus>

/** Undefined if the gateway's status has no provider fields. */
export const useProviderStatus = (): ProviderStatus | undefined => providerStatus.safeParse(useStatus()).data

export function useOfferedProviders(): readonly LoginProvider[] {
  const status = useProviderStatus()
  return status ? offeredBy(status) : []
}

export function offeredBy(status: ProviderStatus): readonly LoginProvider[] {
  const isOffered: Readonly<Record<LoginProvider, boolean>> = {
    github: status.github_oauth && status.github_client_id !== '',
    oidc: status.oidc_enabled && status.oidc_client_id !== '' && isWebLink(status.oidc_authorization_endpoint),
    linuxdo: status.linuxdo_oauth && status.linuxdo_client_id !== '',
    wechat: status.wechat_login && status.wechat_qrcode !== '',
    telegram: status.telegram_oauth && status.telegram_bot_name !== '',
  }
  return order.filter((provider) => isOffered[provider])
}

const order = ['github', 'oidc', 'linuxdo', 'wechat', 'telegram'] as const satisfies readonly LoginProvider[]
