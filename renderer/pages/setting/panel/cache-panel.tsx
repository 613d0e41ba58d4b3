import { useQueryClient } from '@tanstack/react-query'
import { responseCache } from '../../../../shared/api/response-cache.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { send } from '../../../api/client.ts'
import { areaOf, useCall } from '../../../api/use-call.ts'
import { groupDigits } from '../../../components/count.tsx'
import { useTranslation } from '../../../translation.ts'
import { OptionPanel } from '../option-panel.tsx'
import { ToolForm } from '../tools/tool-form.tsx'
import { useTry } from '../tools/use-try.ts'

/** What the response cache stores and what a hit costs, and a button that empties it (docs/reference/cache.md). */
export const CachePanel = ({ panel }: { panel: PanelName }) => (
  <>
    <OptionPanel panel={panel} />
    <CacheClearing />
  </>
)

function CacheClearing() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data: report } = useCall(responseCache.report, {}, { quiet: true })
  const { isBusy, result, run } = useTry()
  const clear = () =>
    void run(async () => {
      const n = await send(responseCache.clear, {}, { quiet: true })
      void queries.invalidateQueries({ queryKey: [areaOf(responseCache.clear)] })
      return t('log.cache_cleared', { n: groupDigits(n) })
    })
  return (
    <ToolForm
      title={t('settings.cacheClear')}
      hint={t('settings.cacheClearHint')}
      verb={t('settings.cacheClearVerb')}
      isBusy={isBusy}
      result={result}
      onSubmit={clear}
    >
      {report && (
        <p>
          {t('settings.cacheHolds', {
            n: groupDigits(report.answers),
            size: (report.bytes / (1024 * 1024)).toFixed(1),
            hits: groupDigits(report.hits),
          })}
        </p>
      )}
    </ToolForm>
  )
}
