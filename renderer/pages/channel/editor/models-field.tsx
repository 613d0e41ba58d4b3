import './models-field.css'
import { Button, Callout } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useTypedText } from '../../../components/form/typed-text.ts'
import { namesIn } from '../../../components/tag-list-input/names-in.ts'
import { TagListInput } from '../../../components/tag-list-input/tag-list-input.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'
import type { KnownModels } from './use-known-models.ts'

type ModelsFieldProps = Readonly<{
  models: readonly string[]
  onModels: (models: readonly string[]) => void
  known: KnownModels
  /** The type whose usual models are offered; undefined for mixed types. */
  type?: number
  error?: string | undefined
  hint?: string
  more?: ReactNode
}>

/**
 * A channel's models: picked, filled in, fetched, or typed as a comma-separated list
 * (docs/reference/screens.md#channel-editor).
 */
export function ModelsField({ models, onModels, known, type, error, hint, more }: ModelsFieldProps) {
  const { t } = useTranslation()
  const add = (names: readonly string[]) => onModels([...new Set([...models, ...names])])
  const usual = type === undefined ? [] : known.usual(type)
  return (
    <div className="models-field">
      <TagListInput
        label={t('channel.modelList')}
        values={models}
        onValues={onModels}
        suggestions={known.all}
        placeholder={t('channel.modelsPick')}
        error={error}
        hint={hint ?? t('channel.modelCount', { n: models.length })}
      />
      {known.error && (
        <Callout className="models-field-missing" compact intent="warning" role="alert">
          <span>
            {t('channel.modelsMissing')} {known.error.message}
          </span>
          <Button size="small" text={t('state.retry')} onClick={known.retry} />
        </Callout>
      )}
      <div className="models-field-buttons">
        {usual.length > 0 && <Button size="small" text={t('channel.fillRelated')} onClick={() => add(usual)} />}
        <Button size="small" text={t('channel.fillAll')} onClick={() => add(known.all)} />
        {more}
        <Button
          size="small"
          text={t('channel.clearModels')}
          disabled={models.length === 0}
          onClick={() => onModels([])}
        />
      </div>
      <CustomNames models={models} onAdd={add} />
    </div>
  )
}

/**
 * Adds the names of a comma-separated list, known or not; refuses a list with a name that is already present
 * (docs/reference/screens.md#channel-editor).
 */
function CustomNames({ models, onAdd }: Readonly<{ models: readonly string[]; onAdd: (names: string[]) => void }>) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const add = () => {
    const names = namesIn(typed)
    if (names.some((name) => models.includes(name))) return setError(t('channel.dup_model'))
    onAdd(names)
    setTyped('')
  }
  useTypedText(typed, () => {
    onAdd(namesIn(typed))
    setTyped('')
  })
  return (
    <TextField
      label={t('channel.customModels')}
      name="custom_models"
      autoComplete="off"
      value={typed}
      onValue={(text) => {
        setTyped(text)
        setError(undefined)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
        event.preventDefault()
        if (typed.trim() !== '') add()
      }}
      error={error}
      hint={t('channel.customModelsHint')}
      rightElement={<Button variant="minimal" text={t('label.add')} disabled={typed.trim() === ''} onClick={add} />}
    />
  )
}
