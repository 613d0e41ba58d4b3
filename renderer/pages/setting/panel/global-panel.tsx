import { Callout } from '@blueprintjs/core'
import { Fragment } from 'react'
import { type OptionKey, optionsIn } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import type { TextKey } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import { OptionControl } from '../form/option-control.tsx'
import { PanelForm } from '../form/panel-form.tsx'
import { useOptionForm } from '../form/use-option-form.ts'

/** Settings of all models: warns about side effects, and disables the interval while pings are off. */
export function GlobalPanel({ panel }: { panel: PanelName }) {
  const form = useOptionForm(optionsIn(panel))
  const isOn = (key: OptionKey) => form.textOf(key) === 'true'
  return (
    <PanelForm form={form} panel={panel}>
      {form.keys.map((key) => (
        <Fragment key={key}>
          <OptionControl
            {...form.bind(key)}
            isDisabled={key === interval && !isOn('general_setting.ping_interval_enabled')}
          />
          <Warning option={key} isOn={isOn(key)} />
        </Fragment>
      ))}
    </PanelForm>
  )
}

const interval: OptionKey = 'general_setting.ping_interval_seconds'

const warnings: Readonly<Partial<Record<OptionKey, TextKey>>> = {
  'global.pass_through_request_enabled': 'settings.passThroughWarning',
  'general_setting.ping_interval_enabled': 'settings.pingWarning',
}

/** The side effect of a switch that is on; its space is reserved to avoid a layout shift. */
function Warning({ option, isOn }: { option: OptionKey; isOn: boolean }) {
  const { t } = useTranslation()
  const warning = warnings[option]
  if (!warning) return null
  return (
    <div className="setting-field setting-warning" role="status">
      {isOn && (
        <Callout compact intent="warning">
          {t(warning)}
        </Callout>
      )}
    </div>
  )
}
