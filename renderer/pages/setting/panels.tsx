import type { ComponentType } from 'react'
import type { PanelName, TabName } from '../../../shared/options/panels.ts'
import type { TextKey } from '../../i18n.ts'
import { PriceTools } from './catalogue/price-tools.tsx'
import { BodiesPanel } from './panel/bodies-panel.tsx'
import { CachePanel } from './panel/cache-panel.tsx'
import { ChatsPanel } from './panel/chats-panel.tsx'
import { GeneralPanel } from './panel/general-panel.tsx'
import { GlobalPanel } from './panel/global-panel.tsx'
import { LogPanel } from './panel/log-panel.tsx'
import { LoginPanel } from './panel/login-panel.tsx'
import { OidcPanel } from './panel/oidc-panel.tsx'
import { PaymentPanel } from './panel/payment-panel.tsx'
import { GithubPanel, LinuxDoPanel } from './panel/provider-panels.tsx'
import { RateLimitPanel } from './panel/rate-limit-panel.tsx'
import { SmtpPanel } from './panel/smtp-panel.tsx'
import { SystemPanel } from './panel/system-panel.tsx'
import { TextPanel } from './panel/text-panels.tsx'
import { TurnstilePanel } from './panel/turnstile-panel.tsx'
import { WhitelistPanel } from './panel/whitelist-panel.tsx'
import { WorkerPanel } from './panel/worker-panel.tsx'
import { GroupPanel } from './pricing/groups/group-panel.tsx'
import { RatioPanel } from './pricing/ratio-panel.tsx'

/**
 * What draws the inside of a panel; its frame and its heading are the page's. What edits a setting in another way than
 * `OptionControl` stands in an element with `data-option={key}`, which links and the search lead to.
 */
type SettingPanel = ComponentType<{ panel: PanelName }>

/** The panels that are more than a form over their settings; the others are drawn by `OptionPanel`. */
export const settingPanels: Readonly<Partial<Record<PanelName, SettingPanel>>> = {
  'operation/general': GeneralPanel,
  'operation/log': LogPanel,
  'operation/bodies': BodiesPanel,
  'operation/chats': ChatsPanel,
  'ratelimit/requests': RateLimitPanel,
  'models/global': GlobalPanel,
  'models/cache': CachePanel,
  'system/worker': WorkerPanel,
  'system/payment': PaymentPanel,
  'system/login': LoginPanel,
  'system/whitelist': WhitelistPanel,
  'system/smtp': SmtpPanel,
  'system/oidc': OidcPanel,
  'system/github': GithubPanel,
  'system/linuxdo': LinuxDoPanel,
  'system/turnstile': TurnstilePanel,
  'other/system': SystemPanel,
  'other/notice': TextPanel,
  'other/personalization': TextPanel,
  'operation/groups': GroupPanel,
  'operation/ratios': RatioPanel,
}

/** Something on a tab that holds no settings, such as facts about the system. */
type OtherSection = Readonly<{
  tab: TabName
  /** Names it in addresses and on the page: tab/name. */
  name: `${TabName}/${string}`
  title: TextKey
  Inside: ComponentType
  /** The panel it stands before; at the end of the tab without one. */
  before?: PanelName
}>

/** Those sections in their order. */
export const otherSections: readonly OtherSection[] = [
  { tab: 'operation', name: 'operation/prices', title: 'prices.title', Inside: PriceTools, before: 'operation/ratios' },
]
