import { Classes } from '@blueprintjs/core'
import { type OptionKey, optionsIn } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { useTranslation } from '../../../translation.ts'
import { OptionControl } from '../form/option-control.tsx'
import { PanelForm } from '../form/panel-form.tsx'
import { useOptionForm } from '../form/use-option-form.ts'

/** Rate limits of model requests, with group rules line by line. */
export function RateLimitPanel({ panel }: { panel: PanelName }) {
  const { t } = useTranslation()
  const form = useOptionForm(optionsIn(panel))
  return (
    <PanelForm form={form} panel={panel}>
      {form.keys.map((key) =>
        key === groups ? (
          <div key={key} className="setting-field-wide">
            <OptionControl {...form.bind(key)} hint="" />
            <ul className={`setting-rules ${Classes.TEXT_MUTED}`}>
              {rules.map((rule) => (
                <li key={rule}>{t(rule)}</li>
              ))}
            </ul>
          </div>
        ) : (
          <OptionControl key={key} {...form.bind(key)} />
        ),
      )}
    </PanelForm>
  )
}

const groups: OptionKey = 'ModelRequestRateLimitGroup'

const rules = [
  'settings.rateRule.format',
  'settings.rateRule.example',
  'settings.rateRule.bounds',
  'settings.rateRule.first',
  'settings.rateRule.period',
] as const
