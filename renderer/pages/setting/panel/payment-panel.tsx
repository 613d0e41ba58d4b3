import { Callout } from '@blueprintjs/core'
import { optionsIn } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { useTranslation } from '../../../translation.ts'
import { PanelForm } from '../form/panel-form.tsx'
import { useOptionForm } from '../form/use-option-form.ts'
import { useOptionValues } from '../use-option-values.ts'
import { isPrivateAddress } from './private-address.ts'

/** Online top-up, which needs an address that the payment service can report to. */
export function PaymentPanel({ panel }: { panel: PanelName }) {
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
