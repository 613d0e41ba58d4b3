import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, 'e2e')

/** A node of the syntax tree, with the fields that this test reads of any kind of node. */
type Node = { type: string; start: number; end: number; [field: string]: unknown }

/** Methods that read the page once and do not wait: correct only when the page can no longer change. */
const READERS = new Set([
  'isVisible',
  'isHidden',
  'isEnabled',
  'isDisabled',
  'isEditable',
  'isChecked',
  'count',
  'textContent',
  'innerText',
  'allInnerTexts',
  'allTextContents',
  'inputValue',
  'boundingBox',
])
const SIDES = new Set(['x', 'y', 'width', 'height', 'top', 'bottom', 'left', 'right'])

describe('browser tests', () => {
  it('wait for what they expect', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    expect(files.length).toBeGreaterThan(100)
    const faults = files.flatMap((name) =>
      faultsOf(readFileSync(join(folder, name), 'utf8')).map((fault) => `tests/e2e/${name}:${fault}`),
    )
    expect(faults).toEqual([])
  })

  it.each([
    'if (await menu.isVisible()) await menu.click()',
    'expect(await rows.count()).toBe(2)',
    'const text = (await row?.textContent()) ?? ""',
    'expect(await readNames()).toEqual([])\nasync function readNames() { return rows.allInnerTexts() }',
    'const names = () => rows.allInnerTexts()\nawait expect.poll(names).toEqual([])\nexpect(await names()).toEqual([])',
    'export const names = () => rows.allInnerTexts()\nawait expect.poll(names).toEqual([])',
    'await expect(async () => { await rows.count() }).rejects.toThrow()',
    'await expect.poll(() => 1, { message: await row.innerText() }).toBe(1)',
    '// settled:\nawait rows.count()',
    '// settled: it cannot change\n\nawait rows.count()',
  ])('read the page once: %j', (code) => {
    expect(faultsOf(code)).toEqual([expect.stringMatching(/^\d+: \w+\(\) reads the page once/)])
  })

  it.each([
    'await expect.poll(() => rows.count()).toBe(2)',
    'await expect.poll(async () => (await box.boundingBox())?.x, { timeout: 1 }).not.toBe(2)',
    'await expect(async () => { expect(await row.isVisible()).toBe(true) }).toPass()',
    'const names = () => rows.allInnerTexts()\nawait expect.poll(names).toEqual([])',
    'const names = () => rows.allInnerTexts()\nawait expect.poll(async () => (await names())[0]).toBe("one")',
    'const inner = () => rows.count()\nfunction outer() { return inner() }\nawait expect.poll(outer).toBe(1)',
    'await page.evaluate(() => document.body.textContent)',
    'db.selectFrom("logs").select(db.fn.count("id"))',
    '// settled: the page is closed by then\nconst count = await rows.count()',
    '// settled: the page is closed by then\nconst all = await page\n  .locator("li")\n  .allInnerTexts()',
  ])('read the page until it is as expected: %j', (code) => {
    expect(faultsOf(code)).toEqual([])
  })

  it.each([
    ['await page.clock.install()', 'the clock goes on'],
    ['const stop = async () => { await page.clock.pauseAt(1); await page.clock.install() }', 'the clock goes on'],
    [
      'const start = async () => { await page.clock.install() }\nconst stop = () => page.clock.pauseAt(1)',
      'the clock goes on',
    ],
    ['expect((box?.y ?? 0) + 1).toBe(1)', 'a missing box passes as 0'],
    ['const width = box.width || 0', 'a missing box passes as 0'],
    ['const box = (await expect.poll(() => card.boundingBox())) ?? { x: 0, width: 0 }', 'a missing box passes as 0'],
    ['page.route("**", async (route) => { expect(1).toBe(1) })', 'a failed expectation in a route'],
    ['page.context().route("**", () => expect.poll(() => 1).toBe(1))', 'a failed expectation in a route'],
    [
      'page.route("**", answer)\nfunction answer() { return expectAccessible(page) }',
      'a failed expectation in a route',
    ],
  ])('are racy: %j', (code, reason) => {
    expect(faultsOf(code)).toEqual([expect.stringContaining(reason)])
  })

  it.each([
    'const stop = async (page) => { await page.clock.install(); await page.clock.pauseAt(1) }',
    'await program.install()',
    'const { width } = box\nconst last = list.length ?? 0\nconst x = box?.x ?? fail()',
    'const style = { width: 0 }',
    'page.route("**", (route) => route.abort())\nexpect(1).toBe(1)',
  ])('are not racy: %j', (code) => {
    expect(faultsOf(code)).toEqual([])
  })
})

/** Faults in the source of a browser test, as `line: reason`. */
function faultsOf(text: string): string[] {
  const tree = treeOf(text)
  return tree.nodes.flatMap((node) => {
    const reason = faultAt(node, tree)
    return reason ? [`${lineAt(text, placeOf(node))}: ${reason}`] : []
  })
}

function faultAt(node: Node, tree: Tree): string | undefined {
  if (isFreeRead(node, tree)) return `${nameOf(node)}() reads the page once, outside expect.poll() and toPass()`
  if (isFlowingClock(node, tree)) return 'the clock goes on: use openStopped()'
  if (isBoxOfNothing(node)) return 'a missing box passes as 0: let it fail'
  if (isCallOf(node, /^expect/) && isInRoute(node, tree))
    return 'a failed expectation in a route handler does not fail the test'
  return undefined
}

/** All nodes of a source, their parents, and its named functions. */
type Tree = { text: string; nodes: Node[]; parents: Map<Node, Node>; named: Map<string, Node> }

function treeOf(text: string): Tree {
  const tree: Tree = { text, nodes: [], parents: new Map(), named: new Map() }
  const visit = (node: Node) => {
    tree.nodes.push(node)
    for (const child of childrenOf(node)) {
      tree.parents.set(child, node)
      visit(child)
    }
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node) // its own types distinguish all kinds of nodes
  for (const node of tree.nodes) {
    const value = node.type === 'VariableDeclarator' ? node.init : node
    if (isNode(node.id) && isNode(value) && isFunction(value)) tree.named.set(String(node.id.name), value)
  }
  return tree
}

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const isFunction = ({ type }: Node) => /Function(?:Expression|Declaration)$/.test(type)

/** The ancestors of a node, from the inside out. */
function around(node: Node, { parents }: Tree): Node[] {
  const parent = parents.get(node)
  return parent ? [parent, ...around(parent, { parents } as Tree)] : []
}

/** The name of the called function, or its last part. */
function nameOf(node: Node): string {
  const { callee } = node
  if (!isNode(callee)) return ''
  return String(isNode(callee.property) ? callee.property.name : callee.name)
}

/** Whether a call starts with a name that matches, for example `expect` in `expect.poll(…)`. */
function isCallOf(node: Node, name: RegExp): boolean {
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return false
  const { callee } = node
  const first = isNode(callee.object) ? callee.object : callee
  return first.type === 'Identifier' && name.test(String(first.name))
}

function isFreeRead(node: Node, tree: Tree): boolean {
  if (node.type !== 'CallExpression' || !READERS.has(nameOf(node))) return false
  if (!isNode(node.callee) || node.callee.type !== 'MemberExpression') return false
  // A `count` with a column as its argument is part of a database query.
  const [first] = node.arguments as Node[]
  if (first && first.type !== 'ObjectExpression') return false
  return !isPolled(node, tree) && !isSettled(node, tree)
}

/** Whether a node is in a function that is polled, directly or by its name. */
function isPolled(node: Node, tree: Tree, seen: readonly Node[] = []): boolean {
  return around(node, tree).some((outer) => {
    if (!isFunction(outer) || seen.includes(outer)) return false
    if (isPolledArgument(outer, tree)) return true
    const uses = usesOf(outer, tree)
    return (
      uses.length > 0 &&
      !isExported(outer, tree) &&
      uses.every((use) => isPolledArgument(use, tree) || isPolled(use, tree, [...seen, outer]))
    )
  })
}

/** Whether a node is the argument of `expect.poll(…)` or `expect(…).toPass()`. */
function isPolledArgument(node: Node, tree: Tree): boolean {
  const [call, member] = around(node, tree)
  if (!call || !isCallOf(call, /^expect/) || (call.arguments as Node[])[0] !== node) return false
  if (nameOf(call) === 'poll') return true
  return isNode(member?.property) && member.property.name === 'toPass'
}

/** Uses of a function's name, except its declaration. */
function usesOf(wanted: Node, { nodes, named }: Tree): Node[] {
  const [name] = [...named].find(([, node]) => node === wanted) ?? []
  if (name === undefined) return []
  const names = new Set(
    nodes.flatMap((node) => {
      if (node.type === 'MemberExpression' && !node.computed) return [node.property]
      return node.type === 'VariableDeclarator' || isFunction(node) ? [node.id] : []
    }),
  )
  return nodes.filter((node) => node.type === 'Identifier' && node.name === name && !names.has(node))
}

const isExported = (node: Node, tree: Tree) =>
  around(node, tree)
    .slice(0, 3)
    .some(({ type }) => type.startsWith('Export'))

/** Whether a comment on the line before explains why the page can no longer change. */
function isSettled(node: Node, tree: Tree): boolean {
  const statement = around(node, tree).find(({ type }) => /Statement$|Declaration$/.test(type))
  const lines = tree.text.split('\n')
  return [node, statement].some((one) => {
    const before = one && lines[lineAt(tree.text, one === node ? placeOf(node) : one.start) - 2]
    return before !== undefined && /^\s*\/\/ settled: \S/.test(before)
  })
}

/** Whether a call installs a clock that the same function does not stop afterwards. */
function isFlowingClock(node: Node, tree: Tree): boolean {
  if (!isClockCall(node, 'install')) return false
  const own = functionAround(node, tree)
  return !tree.nodes.some(
    (other) =>
      isClockCall(other, 'pauseAt') &&
      other.start > node.start &&
      own !== undefined &&
      around(other, tree).includes(own),
  )
}

function isClockCall(node: Node, name: string): boolean {
  if (node.type !== 'CallExpression' || nameOf(node) !== name || !isNode(node.callee)) return false
  const owner = node.callee.object
  return isNode(owner) && (isNode(owner.property) ? owner.property.name : owner.name) === 'clock'
}

const functionAround = (node: Node, tree: Tree) => around(node, tree).find(isFunction)

/** Whether a node replaces a missing box, or a side of it, with 0. */
function isBoxOfNothing(node: Node): boolean {
  if (node.type !== 'LogicalExpression' || node.operator === '&&' || !isNode(node.right)) return false
  if (node.right.type === 'ObjectExpression')
    return childrenOf(node.right).some(({ key, value }) => isNode(key) && SIDES.has(String(key.name)) && isZero(value))
  const left = isNode(node.left) && node.left.type === 'ChainExpression' ? node.left.expression : node.left
  return isZero(node.right) && isNode(left) && isNode(left.property) && SIDES.has(String(left.property.name))
}

const isZero = (value: unknown) => isNode(value) && value.type === 'Literal' && value.value === 0

/** Whether a node is in a function that handles requests of the page. */
function isInRoute(node: Node, tree: Tree): boolean {
  return around(node, tree).some((outer) => {
    if (!isFunction(outer)) return false
    return [outer, ...usesOf(outer, tree)].some((handler) => {
      const call = tree.parents.get(handler)
      return call?.type === 'CallExpression' && nameOf(call) === 'route' && (call.arguments as Node[])[1] === handler
    })
  })
}

/** The line of a call's name, which may differ from the line where the call starts. */
function placeOf(node: Node): number {
  return isNode(node.callee) && isNode(node.callee.property) ? node.callee.property.start : node.start
}

const lineAt = (text: string, place: number) => text.slice(0, place).split('\n').length
