import { optionsIn } from '../../../shared/options/index.ts'
import type { PanelName } from '../../../shared/options/panels.ts'
import { PanelForm } from './form/panel-form.tsx'
import { useOptionForm } from './form/use-option-form.ts'

/** A panel as the registry describes it: every setting of it in order, and its own save button. */
export function OptionPanel({ panel }: { panel: PanelName }) {
  return <PanelForm form={useOptionForm(optionsIn(panel))} panel={panel} />
}
