import './operator-page.css'
import { isWebLink } from '../../../shared/links.ts'
import { useStatus } from '../../api/status.ts'
import { MessageFrame } from '../message-frame.tsx'
import OperatorText from '../operator-text/operator-text.tsx'

/** The operator's own page: Markdown, HTML, or an external page in a frame. Load it lazily. */
export default function OperatorPage({ text }: { text: string }) {
  return text.startsWith('https://') && isWebLink(text) ? (
    <Frame address={text} />
  ) : (
    <section className="operator-page">
      <OperatorText text={text} />
    </section>
  )
}

/** An external page. Its sandbox keeps it out of this origin, whatever its address; the messages contain no secrets. */
function Frame({ address }: { address: string }) {
  const { system_name: name } = useStatus()
  return (
    <MessageFrame
      className="operator-frame"
      title={name}
      address={address}
      sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
      origin="*"
    />
  )
}
