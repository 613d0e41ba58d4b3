import './tools.css'
import { Callout } from '@blueprintjs/core'

/** What came of a try, in words. */
export type ToolResult = Readonly<{ isFine: boolean; text: string }>

/** Tells what came of a try; nothing while there is nothing to tell. */
export const ToolOutcome = ({ result }: { result: ToolResult | undefined }) => (
  <div className="setting-tool-result" role="status">
    {result && (
      <Callout compact intent={result.isFine ? 'success' : 'danger'}>
        {result.text}
      </Callout>
    )}
  </div>
)
