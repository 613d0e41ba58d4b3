import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { later } from '../../../renderer/components/later.tsx'

const never = () => new Promise<() => null>(() => {})

it('what fills a page shows that it is on its way, and what opens over one shows nothing until it is there', () => {
  const Waiting = () => createElement('p', null, 'on its way')
  expect(renderToString(createElement(later(never, Waiting)))).toContain('on its way')
  expect(renderToString(createElement(later(never)))).not.toContain('<p>')
})
