import { useQueryClient } from '@tanstack/react-query'
import type { ApiAnswer } from '../../../../shared/api/call.ts'
import { option } from '../../../../shared/api/option.ts'
import { labelOf, type OptionKey } from '../../../../shared/options/index.ts'
import type { CallFailure } from '../../../api/call-failure.ts'
import { conflictsIn } from '../../../api/option-conflicts.ts'
import { areaOf } from '../../../api/use-call.ts'
import { showFailure, showSuccess, showWarning } from '../../../components/toasts.ts'
import { currentLocale } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import { optionsKey } from '../use-option-values.ts'
import type { Change, SaveOutcome } from './save-options.ts'

/** Updates the cached values after a save, so that no field shows its old value during the reload. */
export function useNoteSaved(): (saved: readonly Change[]) => void {
  const queries = useQueryClient()
  return (saved) => {
    const after = new Map<string, string>(saved.map(({ key, value }) => [key, value]))
    queries.setQueryData<ApiAnswer<typeof option.list>>(optionsKey, (list) =>
      list?.map((one) => ({ ...one, value: after.get(one.key) ?? one.value })),
    )
  }
}

/** Reports the outcome of a save, after the stored values have been reloaded. */
export function useOutcome({ failText }: FormManner): (outcome: SaveOutcome) => Promise<void> {
  const { t } = useTranslation()
  const refresh = useRefresh()
  return async ({ saved, refused, failure }) => {
    const refusals = [...refused.values()]
    if (saved.length > 0 || refusals.some(isConflict)) await refresh()
    if (refused.size === 0 && !failure) return showSuccess(t('update.ok'))
    if (failure && failure.status !== 401) showFailure(failure)
    if (saved.length > 0) {
      const names = new Intl.ListFormat(currentLocale()).format(saved.map((key) => t(labelOf(key))))
      showWarning(t('settings.savedAlso', { failed: t('option.partial'), names }))
    } else if (!failure && !refusals.every(isConflict)) showWarning(failText ?? t('option.fail'))
  }
}

const isConflict = (refusal: CallFailure): boolean => conflictsIn(refusal).length > 0

/** Reloads the stored values, and everything derived from them on other pages and in the layout. */
export function useRefresh(): () => Promise<void> {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: [areaOf(option.list)] })
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== areaOf(option.list) })
    if (queries.getQueryState(optionsKey)?.status === 'error') showWarning(t('option.refresh_fail'))
  }
}

export type FormManner = Readonly<{
  /** Replaces the message shown if nothing could be saved. */
  failText?: string
  /** Messages for unreadable JSON settings, instead of the error position. */
  jsonTexts?: Readonly<Partial<Record<OptionKey, string>>>
  /** Why nothing may be saved now; shown only if there are changes. */
  refuse?: () => string | undefined
  /** Sends all changes together instead of separately; resolves to undefined if the user cancels. */
  sendTogether?: ((changes: readonly Change[]) => Promise<SaveOutcome | undefined>) | undefined
}>
