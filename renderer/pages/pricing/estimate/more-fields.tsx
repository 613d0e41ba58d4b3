import { FormGroup, InputGroup } from '@blueprintjs/core'
import { useId } from 'react'
import { FoldSection } from '../../../components/side-drawer/fold-section.tsx'
import { useTranslation } from '../../../translation.ts'
import { Choice } from './choice.tsx'
import { type Draft, type NumberName, newDraft, semanticsOf } from './draft.ts'
import { type EstimateForm, NumberInput } from './number-input.tsx'

type FormProps = Readonly<{ form: EstimateForm }>

export function MoreFields({ form }: FormProps) {
  return (
    <>
      <CacheFields form={form} />
      <MediaFields form={form} />
      <SearchFields form={form} />
    </>
  )
}

function CacheFields({ form }: FormProps) {
  const { t } = useTranslation()
  const { draft, change } = form
  return (
    <FoldSection title={t('estimate.cache')} {...stateOf(form, cacheNames)}>
      <div className="estimate-fields">
        <NumberInput form={form} name="cache_tokens" label={t('estimate.cacheRead')} />
        <NumberInput form={form} name="cache_creation_tokens" label={t('estimate.cacheWrite')} />
        <NumberInput form={form} name="cache_creation_tokens_1h" label={t('estimate.cacheHour')} />
        <Choice
          label={t('estimate.semantics')}
          hint={t('estimate.semanticsHint')}
          value={semanticsOf(draft)}
          options={[
            { value: 'openai', label: t('estimate.semantics.openai') },
            { value: 'anthropic', label: t('estimate.semantics.anthropic') },
          ]}
          onValue={(semantics) => change({ semantics })}
        />
      </div>
    </FoldSection>
  )
}

function MediaFields({ form }: FormProps) {
  const { t } = useTranslation()
  const { draft, change } = form
  return (
    <FoldSection title={t('estimate.media')} {...stateOf(form, mediaNames)}>
      <div className="estimate-fields">
        <NumberInput form={form} name="image_tokens" label={t('estimate.imageTokens')} />
        <NumberInput form={form} name="audio_tokens" label={t('estimate.audioTokens')} />
        <NumberInput form={form} name="audio_completion_tokens" label={t('estimate.audioOut')} />
        <NumberInput form={form} name="images" label={t('estimate.images')} hint={t('estimate.imagesHint')} />
        <TextInput
          label={t('estimate.size')}
          hint={t('estimate.sizeHint')}
          value={draft.size}
          onValue={(size) => change({ size })}
        />
        <TextInput
          label={t('estimate.quality')}
          hint={t('estimate.qualityHint')}
          value={draft.quality}
          onValue={(quality) => change({ quality })}
        />
      </div>
    </FoldSection>
  )
}

function SearchFields({ form }: FormProps) {
  const { t } = useTranslation()
  const { draft, change } = form
  return (
    <FoldSection title={t('estimate.tools')} {...stateOf(form, searchNames)}>
      <div className="estimate-fields">
        <NumberInput form={form} name="web_search_calls" label={t('estimate.webSearches')} />
        <NumberInput form={form} name="file_search_calls" label={t('estimate.fileSearches')} />
        <Choice
          label={t('estimate.context')}
          value={draft.context}
          options={contexts.map((value) => ({ value, label: t(`estimate.context.${value}`) }))}
          onValue={(context) => change({ context })}
        />
      </div>
    </FoldSection>
  )
}

const contexts = ['low', 'medium', 'high'] as const
const cacheNames = ['cache_tokens', 'cache_creation_tokens', 'cache_creation_tokens_1h'] as const
const mediaNames = ['image_tokens', 'audio_tokens', 'audio_completion_tokens', 'images'] as const
const searchNames = ['web_search_calls', 'file_search_calls'] as const

/** A section header's state: the number of changed fields, and whether one is invalid. */
const stateOf = ({ draft, problems }: EstimateForm, names: readonly NumberName[]) => ({
  changed: names.filter((name) => draft.numbers[name] !== first.numbers[name]).length,
  hasProblem: names.some((name) => problems.has(name)),
})

const first: Draft = newDraft('', '')

type SelectProps = Readonly<{ label: string; hint: string; value: string; onValue: (value: string) => void }>

function TextInput({ label, hint, value, onValue }: SelectProps) {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id} helperText={<span id={`${id}-note`}>{hint}</span>}>
      <InputGroup
        id={id}
        fill
        autoComplete="off"
        maxLength={32}
        value={value}
        onValueChange={onValue}
        aria-describedby={`${id}-note`}
      />
    </FormGroup>
  )
}
