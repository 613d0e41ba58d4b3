import { FormGroup, Switch } from '@blueprintjs/core'
import { useId } from 'react'
import { useKeepNote } from '../../api/use-keep-note.ts'
import { sentences } from '../../components/sentences.ts'
import { Section } from '../../components/side-drawer/section.tsx'
import { useTranslation } from '../../translation.ts'

type BodiesFieldProps = Readonly<{ isOn: boolean; onChange: (isOn: boolean) => void }>

/** Whether the bodies of the token's calls are kept, and who could see them (docs/reference/bodies.md). */
export function BodiesField({ isOn, onChange }: BodiesFieldProps) {
  const { t } = useTranslation()
  const note = useKeepNote()
  const id = useId()
  const hint = <span id={id}>{sentences(t('token.bodiesHint'), note)}</span>
  return (
    <Section title={t('token.section.bodies')}>
      <FormGroup helperText={hint}>
        <Switch
          label={t('token.bodies')}
          checked={isOn}
          onChange={(event) => onChange(event.currentTarget.checked)}
          aria-describedby={id}
        />
      </FormGroup>
    </Section>
  )
}
