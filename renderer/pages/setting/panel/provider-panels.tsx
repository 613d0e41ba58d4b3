import type { PanelName } from '../../../../shared/options/panels.ts'
import { OptionPanel } from '../option-panel.tsx'
import { ProviderNote } from '../tools/provider-note.tsx'

type PanelProps = Readonly<{ panel: PanelName }>

/** Sign-in by GitHub: what GitHub wants to know, then what it gives. */
export const GithubPanel = ({ panel }: PanelProps) => (
  <>
    <ProviderNote hasHomepage callback="/oauth/github" />
    <OptionPanel panel={panel} />
  </>
)

/** Sign-in by Linux DO: what Linux DO wants to know, then what it gives. */
export const LinuxDoPanel = ({ panel }: PanelProps) => (
  <>
    <ProviderNote hasHomepage callback="/oauth/linuxdo" />
    <OptionPanel panel={panel} />
  </>
)
