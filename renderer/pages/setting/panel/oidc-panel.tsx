import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { settingTools } from '../../../../shared/api/setting-tools.ts'
import { optionsIn } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { send } from '../../../api/client.ts'
import { showWarning } from '../../../components/toasts.ts'
import { useLatest } from '../../../components/use-latest.ts'
import { useTranslation } from '../../../translation.ts'
import { OptionControl } from '../form/option-control.tsx'
import { PanelForm } from '../form/panel-form.tsx'
import { type OptionForm, useOptionForm } from '../form/use-option-form.ts'
import { ProviderNote } from '../tools/provider-note.tsx'

const WELL_KNOWN = 'oidc.well_known'

/**
 * OpenID Connect sign-in. A new Well-Known URL is fetched through the gateway before saving, and by a button at any
 * time; its document fills in the three endpoints (docs/reference/options.md#testing-settings).
 */
export function OidcPanel({ panel }: { panel: PanelName }) {
  const { t } = useTranslation()
  const form = useOptionForm(optionsIn(panel))
  const discovery = useDiscovery(form)
  const { isRunning } = discovery
  const isNew = form.changed.includes(WELL_KNOWN) && form.textOf(WELL_KNOWN).trim() !== ''
  const save = async () => (!isNew || (await discovery.run())) && (await discovery.latest().save())
  const read = (
    <Button
      text={t('settings.discover')}
      disabled={form.textOf(WELL_KNOWN).trim() === '' || form.isSaving}
      loading={isRunning}
      onClick={() => void discovery.run()}
    />
  )
  return (
    <>
      <ProviderNote callback="/oauth/oidc" />
      <PanelForm form={{ ...form, isSaving: form.isSaving || isRunning, save }} panel={panel} more={read}>
        {form.keys.map((key) => {
          const bound = form.bind(key)
          return <OptionControl key={key} {...bound} error={(key === WELL_KNOWN && discovery.problem) || bound.error} />
        })}
      </PanelForm>
    </>
  )
}

function useDiscovery(form: OptionForm) {
  const { t } = useTranslation()
  const [isRunning, setRunning] = useState(false)
  /** The last error and the URL it is about. */
  const [failed, setFailed] = useState<{ url: string; message: string }>()
  const latest = useLatest(form)
  const url = form.textOf(WELL_KNOWN).trim()
  const run = async (): Promise<boolean> => {
    if (!/^https?:\/\//i.test(url)) {
      const message = t('option.oidc_prefix')
      setFailed({ url, message })
      showWarning(message)
      return false
    }
    setRunning(true)
    try {
      const found = await send(settingTools.discoverOidc, { body: { well_known: url } })
      // Flushed, so that the following save sees it.
      flushSync(() => fillIn(latest.current, found))
      setFailed(undefined)
      return true
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      setFailed({ url, message: error.message })
      return false
    } finally {
      setRunning(false)
    }
  }
  const problem = failed?.url === url ? failed.message : undefined
  return { run, isRunning, problem, latest: () => latest.current }
}

type Endpoints = Awaited<ReturnType<typeof send<typeof settingTools.discoverOidc>>>

/** A user info endpoint missing from the document leaves its field unchanged. */
function fillIn({ type }: OptionForm, found: Endpoints): void {
  type('oidc.authorization_endpoint', found.authorization_endpoint)
  type('oidc.token_endpoint', found.token_endpoint)
  if (found.user_info_endpoint !== '') type('oidc.user_info_endpoint', found.user_info_endpoint)
}
