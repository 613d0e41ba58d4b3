import { Callout } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settingTools } from '../../../../shared/api/setting-tools.ts'
import { share } from '../../../../shared/api/share.ts'
import { optionsIn } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { send } from '../../../api/client.ts'
import { useStatus } from '../../../api/status.ts'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { PanelForm } from '../form/panel-form.tsx'
import { useOptionForm } from '../form/use-option-form.ts'
import { ToolForm } from '../tools/tool-form.tsx'
import { useTry } from '../tools/use-try.ts'

/** The mail server, and a test mail (docs/reference/options.md#mail). */
export function SmtpPanel({ panel }: { panel: PanelName }) {
  const form = useOptionForm(optionsIn(panel))
  return (
    <>
      <NearLinks />
      <PanelForm form={form} panel={panel} />
      <TestMail isUnsaved={form.changed.length > 0} />
    </>
  )
}

/**
 * Warns if only this machine can open the links in mails: they have the server address, which may differ from the
 * console's.
 */
function NearLinks() {
  const { t } = useTranslation()
  const { server_address: address } = useStatus()
  const { data } = useQuery({
    queryKey: ['share', share.address.path, address],
    queryFn: ({ signal }) => send(share.address, {}, { signal, quiet: true }),
  })
  if (data?.url !== '') return null
  return (
    <Callout compact intent="warning" className="setting-callout">
      {t('mailLinks.near', { address })}
    </Callout>
  )
}

function TestMail({ isUnsaved }: { isUnsaved: boolean }) {
  const { t } = useTranslation()
  const [to, setTo] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { isBusy, result, run } = useTry()
  const submit = () => {
    const receiver = to.trim()
    setMissing(receiver === '')
    if (receiver === '') return
    void run(async () => {
      const { said } = await send(settingTools.sendTestMail, { body: { to: receiver } }, { quiet: true })
      return t('settings.mailSent', { to: receiver, said })
    })
  }
  return (
    <ToolForm
      title={t('settings.mailTest')}
      hint={t('settings.mailTestHint')}
      verb={t('settings.mailSend')}
      isBusy={isBusy}
      isUnsaved={isUnsaved}
      result={result}
      onSubmit={submit}
    >
      <TextField
        label={t('settings.mailTo')}
        type="email"
        autoComplete="email"
        value={to}
        onValue={setTo}
        error={isMissing ? t('email.need') : undefined}
      />
    </ToolForm>
  )
}
