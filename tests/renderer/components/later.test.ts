import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { later } from '../../../renderer/components/later.tsx'

const never = () => new Promise<() => null>(() => {})

it('content that fills a page shows that it is loading, and content that opens over one shows nothing until it is loaded', () => {
  const Waiting = () => createElement('p', null, 'on its way')
  expect(renderToString(createElement(later(never, Waiting)))).toContain('on its way')
  expect(renderToString(createElement(later(never)))).not.toContain('<p>')
})
