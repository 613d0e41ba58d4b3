import { type ComponentType, useState } from 'react'
import type { PanelName, TabName } from '../../../shared/options/panels.ts'
import type { TextKey } from '../../i18n.ts'
import { OptionPanel } from './option-panel.tsx'
import { BodiesPanel } from './panel/bodies-panel.tsx'
import { CachePanel } from './panel/cache-panel.tsx'
import { ChatsPanel } from './panel/chats-panel.tsx'
import { GeneralPanel } from './panel/general-panel.tsx'
import { GlobalPanel } from './panel/global-panel.tsx'
import { LogPanel } from './panel/log-panel.tsx'
import { LoginPanel } from './panel/login-panel.tsx'
import { OidcPanel } from './panel/oidc-panel.tsx'
import { RateLimitPanel } from './panel/rate-limit-panel.tsx'
import { SmtpPanel } from './panel/smtp-panel.tsx'
import { SystemPanel } from './panel/system-panel.tsx'
import { TextPanel } from './panel/text-panels.tsx'
import { TurnstilePanel } from './panel/turnstile-panel.tsx'
import { WhitelistPanel } from './panel/whitelist-panel.tsx'
import { WorkerPanel } from './panel/worker-panel.tsx'
import { GroupPanel } from './pricing/groups/group-panel.tsx'
import { RatioPanel } from './pricing/ratio-panel.tsx'
import { ProviderNote } from './tools/provider-note.tsx'
import './catalogue/catalogue.css'
import { Button, Callout, Classes } from '@blueprintjs/core'
import { Calendar, Refresh } from '@blueprintjs/icons'
import { optionsIn } from '../../../shared/options/index.ts'
import { later } from '../../components/later.tsx'
import { useTranslation } from '../../translation.ts'
import { LastUpdate } from './catalogue/last-update.tsx'
import { PanelForm } from './form/panel-form.tsx'
import { useOptionForm } from './form/use-option-form.ts'
import { isPrivateAddress } from './panel/private-address.ts'
import { useOptionValues } from './use-option-values.ts'

type PanelProps = Readonly<{ panel: PanelName }>

/** GitHub sign-in: the values to enter at GitHub, then those GitHub provides. */
const GithubPanel = ({ panel }: PanelProps) => (
  <>
    <ProviderNote hasHomepage callback="/oauth/github" />
    <OptionPanel panel={panel} />
  </>
)

/** Linux DO sign-in: the values to enter at Linux DO, then those Linux DO provides. */
const LinuxDoPanel = ({ panel }: PanelProps) => (
  <>
    <ProviderNote hasHomepage callback="/oauth/linuxdo" />
    <OptionPanel panel={panel} />
  </>
)

/**
 * Renders the content of a panel; the page adds frame and heading. A custom editor of a setting needs an element with
 * `data-option={key}`, which links and the search focus.
 */
type SettingPanel = ComponentType<{ panel: PanelName }>

/** Panels with a custom component; the others use `OptionPanel`. */
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

/** A section without settings, such as facts about the system. */
type OtherSection = Readonly<{
  tab: TabName
  /** Identifies it in addresses and on the page: tab/name. */
  name: `${TabName}/${string}`
  title: TextKey
  Inside: ComponentType
  /** The panel it precedes; the end of the tab if undefined. */
  before?: PanelName
}>

export const otherSections: readonly OtherSection[] = [
  { tab: 'operation', name: 'operation/prices', title: 'prices.title', Inside: PriceTools, before: 'operation/ratios' },
]

const UpdatePrices = later(async () => (await import('./catalogue/update-prices.tsx')).UpdatePrices)
const ScheduledPrices = later(async () => (await import('./catalogue/scheduled-prices.tsx')).ScheduledPrices)

/**
 * Price tools other than manual editing: updates from a catalogue, and scheduled prices
 * (docs/reference/screens.md#price-updates).
 */
function PriceTools() {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<'update' | 'scheduled'>()
  const close = () => setOpened(undefined)
  return (
    <div className="catalogue-tools">
      <p className={Classes.TEXT_MUTED}>{t('prices.intro')}</p>
      <div className="catalogue-tools-buttons">
        <Button icon={<Refresh />} text={t('prices.update')} onClick={() => setOpened('update')} />
        <Button icon={<Calendar />} text={t('prices.scheduled')} onClick={() => setOpened('scheduled')} />
      </div>
      <LastUpdate />
      {opened === 'update' && <UpdatePrices onClose={close} />}
      {opened === 'scheduled' && <ScheduledPrices onClose={close} />}
    </div>
  )
}

/** Online top-up; is not saved without a server address, and warns if the address for notifications is private. */
function PaymentPanel({ panel }: { panel: PanelName }) {
  const { t } = useTranslation()
  const { values } = useOptionValues()
  const form = useOptionForm(optionsIn(panel), {
    jsonTexts: { TopupGroupRatio: t('option.topup_ratio'), PayMethods: t('option.pay_methods') },
    refuse: () => (values?.get('ServerAddress') ? undefined : t('option.pay_address')),
  })
  const callback = values?.get('CustomCallbackAddress') || values?.get('ServerAddress') || ''
  return (
    <>
      {isPrivateAddress(callback) && (
        <Callout compact intent="warning" className="setting-callout">
          {t('payCallback.private', { address: callback })}
        </Callout>
      )}
      <PanelForm form={form} panel={panel} />
    </>
  )
}
