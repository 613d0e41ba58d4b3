import { flushSync } from 'react-dom'
import { settingTools } from '../../../../shared/api/setting-tools.ts'
import { optionsIn } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { send } from '../../../api/client.ts'
import { useLatest } from '../../../components/use-latest.ts'
import { useTranslation } from '../../../translation.ts'
import { PanelForm } from '../form/panel-form.tsx'
import { useOptionForm } from '../form/use-option-form.ts'
import { ToolForm } from '../tools/tool-form.tsx'
import { useTry } from '../tools/use-try.ts'

/** The proxy worker, with a test fetch. Clearing its address also clears its key. */
export function WorkerPanel({ panel }: { panel: PanelName }) {
  const form = useOptionForm(optionsIn(panel))
  const latest = useLatest(form)
  const isGone = form.changed.includes('WorkerUrl') && form.textOf('WorkerUrl').trim() === ''
  const save = () => {
    if (isGone) flushSync(() => form.bind('WorkerValidKey').onRemove(true))
    return latest.current.save()
  }
  return (
    <>
      <PanelForm form={{ ...form, save }} panel={panel} />
      <TestWorker isUnsaved={form.changed.length > 0} />
    </>
  )
}

function TestWorker({ isUnsaved }: { isUnsaved: boolean }) {
  const { t } = useTranslation()
  const { isBusy, result, run } = useTry()
  const submit = () =>
    run(async () => {
      const { url, bytes, duration_ms: ms } = await send(settingTools.testWorker, {}, { quiet: true })
      return t('settings.workerWorks', { url, bytes: bytes.toLocaleString('en'), ms: ms.toLocaleString('en') })
    })
  return (
    <ToolForm
      title={t('settings.workerTest')}
      hint={t('settings.workerTestHint')}
      verb={t('settings.workerFetch')}
      isBusy={isBusy}
      isUnsaved={isUnsaved}
      result={result}
      onSubmit={() => void submit()}
    />
  )
}
