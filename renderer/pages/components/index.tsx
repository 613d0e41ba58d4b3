import './components.css'
import { Card, Classes, H2 } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { Fields } from './fields.tsx'
import { Lists } from './lists.tsx'
import { Overlays } from './overlays.tsx'
import { Values } from './values.tsx'

/** Every shared component in every state; only on the development server. */
export default function ComponentsPage() {
  return (
    <PageFrame title="Components">
      {shelves.map(({ name, content }) => (
        <Card key={name} className="components-shelf">
          <H2 className={Classes.HEADING}>{name}</H2>
          {content}
        </Card>
      ))}
    </PageFrame>
  )
}

const shelves: readonly Readonly<{ name: string; content: ReactNode }>[] = [
  { name: 'Values', content: <Values /> },
  { name: 'Fields', content: <Fields /> },
  { name: 'Lists', content: <Lists /> },
  { name: 'Overlays', content: <Overlays /> },
]
