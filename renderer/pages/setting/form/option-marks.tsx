import { Button, Classes, Tag } from '@blueprintjs/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { option as optionCalls } from '../../../../shared/api/option.ts'
import { labelOf, type OptionKey, options } from '../../../../shared/options/index.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { formatShortTime } from '../../../components/date-time.ts'
import { focusFirst, isFocusFree } from '../../../components/focus-after.ts'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { useOptionStates } from '../use-option-states.ts'
import { useOptionValues } from '../use-option-values.ts'
import { useRefresh } from './use-outcome.ts'

type OptionMarksProps = Readonly<{
  /** Id of the text that describes the field. */
  id: string
  option: OptionKey
  onReset?: () => void
}>

/** Shown below a setting that differs from its default: who changed it, and a reset button. */
export function OptionMarks({ id, ...props }: OptionMarksProps) {
  const { t } = useTranslation()
  const { state, isChanged, hasText } = useMarks(props.option)
  if (!isChanged) return null
  return (
    <div className={`setting-marks ${Classes.TEXT_MUTED}`}>
      <span id={id} className="setting-marks-words">
        {hasText && <Tag minimal>{t('settings.changed')}</Tag>}
      </span>
      <ChangeMarks {...props} who={state?.changed_by ?? ''} at={state?.changed_at ?? 0} />
    </div>
  )
}

/** The marks of a setting; `hasText` if they contain text that describes the field. */
export function useMarks(option: OptionKey) {
  const state = useOptionStates().states?.get(option)
  const isChanged = state?.is_default === false
  return { state, isChanged, hasText: isChanged && !options[option].secret }
}

type ChangeMarksProps = Omit<OptionMarksProps, 'id'>

function ChangeMarks({ option, onReset, who, at }: ChangeMarksProps & Readonly<{ who: string; at: number }>) {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const label = t(labelOf(option))
  const text = who === '' ? t('settings.changedAt') : t('settings.changedBy', { who })
  const history = new URLSearchParams({ ...(query.has('tab') && { tab: query.get('tab') ?? '' }), history: option })
  return (
    <>
      {at > 0 && (
        <Link
          to={`?${history}`}
          aria-label={t('settings.historyOf', { label, told: `${text} ${formatShortTime(at)}` })}
        >
          {text} <TimeText at={at} isShort />
        </Link>
      )}
      {!options[option].secret && <Reset option={option} label={label} {...(onReset && { onReset })} />}
    </>
  )
}

/** Focuses the field after its reset button is removed, unless something else has taken the focus. */
function useFocusOnField(option: OptionKey): RefObject<boolean> {
  const isReset = useRef(false)
  useEffect(
    () => () => {
      if (isReset.current && isFocusFree())
        focusFirst(() =>
          document.querySelector(`[data-option="${CSS.escape(option)}"] :is(input, textarea, select, button):enabled`),
        )
    },
    [option],
  )
  return isReset
}

function Reset({ option, label, onReset }: ChangeMarksProps & { label: string }) {
  const { t } = useTranslation()
  const { values } = useOptionValues()
  const refresh = useRefresh()
  const { mutate, isPending } = useSend(optionCalls.reset)
  const [isConfirming, setConfirming] = useState(false)
  const isReset = useFocusOnField(option)
  const reset = () =>
    mutate(
      { body: { key: option, base: values?.get(option) } },
      {
        onSuccess: () => {
          isReset.current = true
          onReset?.()
          showSuccess(t('update.ok'))
        },
        onSettled: () => {
          setConfirming(false)
          void refresh()
        },
      },
    )
  return (
    <>
      <Button
        size="small"
        variant="minimal"
        text={t('label.reset')}
        aria-label={t('settings.resetOf', { label })}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        isOpen={isConfirming}
        question={t('settings.resetAsk', { label })}
        verb={t('label.reset')}
        isBusy={isPending}
        onConfirm={reset}
        onCancel={() => setConfirming(false)}
      >
        {t('settings.resetHint')}
      </Confirm>
    </>
  )
}
