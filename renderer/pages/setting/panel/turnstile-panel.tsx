import { Callout } from '@blueprintjs/core'
import { option } from '../../../../shared/api/option.ts'
import { optionsIn } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { send } from '../../../api/client.ts'
import { useTranslation } from '../../../translation.ts'
import { PanelForm } from '../form/panel-form.tsx'
import type { Change, SaveOutcome } from '../form/save-options.ts'
import { useOptionForm } from '../form/use-option-form.ts'
import { useProof } from '../tools/use-proof.tsx'
import { useOptionValues } from '../use-option-values.ts'

const SITE = 'TurnstileSiteKey'

/**
 * The keys of the human check. While the check is on, new keys must pass the widget before both are saved together;
 * while it is off, they must pass when it is switched on (docs/reference/accounts.md#human-verification).
 */
export function TurnstilePanel({ panel }: { panel: PanelName }) {
  const { t } = useTranslation()
  const { values } = useOptionValues()
  const { prove, dialog } = useProof()
  const isOn = values?.get('TurnstileCheckEnabled') === 'true'
  const exchange = async (changes: readonly Change[]) => {
    // A key in use cannot be removed; the gateway refuses without a token.
    if (changes.some(({ value }) => value === '')) return store(changes, undefined)
    const siteKey = changes.find(({ key }) => key === SITE)?.value ?? values?.get(SITE) ?? ''
    const token = await prove(siteKey)
    return token === undefined ? undefined : store(changes, token)
  }
  const form = useOptionForm(optionsIn(panel), { sendTogether: isOn ? exchange : undefined })
  return (
    <>
      {isOn && (
        <Callout compact className="setting-callout">
          {t('settings.turnstileOn')}
        </Callout>
      )}
      <PanelForm form={form} panel={panel} />
      {dialog}
    </>
  )
}

/** Saves the keys together with a token of the widget; a refusal applies to all of them. */
async function store(changes: readonly Change[], turnstile: string | undefined): Promise<SaveOutcome> {
  const keys = changes.map(({ key }) => key)
  try {
    await send(option.updateMany, { query: { turnstile }, body: { changes: [...changes] } }, { quiet: true })
    return { saved: keys, refused: new Map(), failure: undefined }
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    if (error.kind !== 'refused') return { saved: [], refused: new Map(), failure: error }
    return { saved: [], refused: new Map(keys.map((key) => [key, error])), failure: undefined }
  }
}
