import './json-field.css'
import { Button, Classes, FormGroup, TextArea } from '@blueprintjs/core'
import { useId, useState } from 'react'
import { type Translate, useTranslation } from '../../translation.ts'
import { focusAfter } from '../focus-after.ts'
import { useDescription } from '../form/description.ts'
import { readJson } from './json-problem.ts'

type JsonFieldProps = Readonly<{
  label: string
  /** The text as typed; empty means not set. */
  value: string
  onChange: (value: string) => void
  hint?: string
  /** An example that the Template button inserts. */
  template?: string
  /** Validates parsed JSON: returns a localized problem or undefined. `text` serves to locate it. */
  check?: (value: unknown, text: string) => string | undefined
  error?: string | undefined
}>

/**
 * A JSON field: validated on blur and while a problem is shown, with line and column
 * (docs/reference/options.md#validation).
 */
export function JsonField({ label, value, onChange, hint, template, check, error }: JsonFieldProps) {
  const { t } = useTranslation()
  const [isChecked, setChecked] = useState(false)
  const id = useId()
  const problem = error ?? (isChecked ? problemIn(value, t, check) : undefined)
  const note = problem ?? hint
  const description = useDescription(note && `${id}-note`)
  const leave = () => {
    setChecked(true)
    const tidy = tidied(value)
    if (tidy !== value) onChange(tidy)
  }
  return (
    <FormGroup
      className="json-field"
      label={label}
      labelFor={id}
      intent={problem ? 'danger' : 'none'}
      helperText={note && <span id={`${id}-note`}>{note}</span>}
    >
      <TextArea
        id={id}
        fill
        className={Classes.MONOSPACE_TEXT}
        spellCheck={false}
        rows={Math.min(12, Math.max(6, value.split('\n').length))}
        intent={problem ? 'danger' : 'none'}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={leave}
        aria-invalid={problem !== undefined}
        aria-describedby={description}
      />
      <div className="json-field-actions">
        {template !== undefined && (
          <Button
            size="small"
            variant="minimal"
            text={t('json.template')}
            aria-label={t('json.templateOf', { label })}
            onClick={() => onChange(tidied(template))}
          />
        )}
        <Button
          size="small"
          variant="minimal"
          text={t('json.clear')}
          aria-label={t('json.clearOf', { label })}
          disabled={value === ''}
          onClick={() =>
            focusAfter(
              () => onChange(''),
              () => document.getElementById(id),
            )
          }
        />
      </div>
    </FormGroup>
  )
}

/** The localized problem of a JSON text, if any; an empty text is valid. Forms call it before sending. */
export function problemIn(
  text: string,
  t: Translate,
  check?: (value: unknown, text: string) => string | undefined,
): string | undefined {
  if (text.trim() === '') return undefined
  const read = readJson(text)
  return 'problem' in read ? t('json.broken', read.problem) : check?.(read.value, text)
}

/**
 * Formats JSON with two spaces; returns text that is invalid, or has numbers too long to be parsed exactly, unchanged.
 */
function tidied(text: string): string {
  if (text.trim() === '') return ''
  if (/\d{16}/.test(text)) return text
  const read = readJson(text)
  return 'problem' in read ? text : JSON.stringify(read.value, null, 2)
}
