import { type ESTree, type Plugin, parseAst } from 'vite'

/**
 * Leaves out of the console what it does not read of the API's contracts (shared/api): a call is its method and its path there,
 * and what else those files declare goes where nobody uses it. The gateway checks questions and answers; types are as they were.
 */
export function withoutSchemas(): Plugin {
  return {
    name: 'without-schemas',
    enforce: 'pre',
    transform(code, id) {
      const [path = ''] = id.split('?')
      if (reading.test(code) && /\/renderer\/[^?]*\.tsx?$/.test(path))
        this.error('the console has no schemas of calls: vite.contracts.ts leaves them out')
      if (!/\/shared\/api\/[\w-]+\.ts$/.test(path)) return null
      const cuts = parseAst(code, { lang: 'ts' }).body.flatMap((statement) => cutsIn(statement, code))
      // From the last one on, so that places before it stay right.
      const less = cuts.toSorted((one, other) => other.at - one.at).reduce(cutOut, code)
      return { code: less, map: null }
    },
  }
}

/** What would be undefined although its type says otherwise. */
const reading = /\.(params|query|body|answer|beside)\.(parse|safeParse|shape)\b/

/** What the client reads of a call. */
const read: ReadonlySet<string> = new Set(['method', 'path'])

/** What takes the place of the code from `at` to `to`. */
type Cut = Readonly<{ at: number; to: number; by: string }>

const cutOut = (code: string, { at, to, by }: Cut): string => code.slice(0, at) + by + code.slice(to)

/** Each value of a file: calls lose what is not read of them, all others can go as a whole. */
function cutsIn(statement: ESTree.Node, code: string): Cut[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (declared?.type !== 'VariableDeclaration') return []
  return declared.declarations.flatMap(({ init }): Cut[] => {
    if (!init || init.type === 'ArrowFunctionExpression' || init.type === 'Literal') return []
    const calls = init.type === 'ObjectExpression' ? init.properties.flatMap((one) => callIn(one, code)) : []
    if (calls.length > 0) return calls
    return [{ at: init.start, to: init.end, by: `/* @__PURE__ */ (() => (${textOf(init, code)}))()` }]
  })
}

/** What is left of a declared call; nothing for any other property. */
function callIn(property: ESTree.ObjectExpression['properties'][number], code: string): Cut[] {
  const value = property.type === 'Property' ? property.value : undefined
  if (value?.type !== 'CallExpression' || value.callee.type !== 'Identifier' || value.callee.name !== 'call') return []
  const [declared] = value.arguments
  if (declared?.type !== 'ObjectExpression') return []
  const kept = declared.properties.filter(
    (field) => field.type === 'Property' && field.key.type === 'Identifier' && read.has(field.key.name),
  )
  return [{ at: value.start, to: value.end, by: `{ ${kept.map((field) => textOf(field, code)).join(', ')} }` }]
}

const textOf = ({ start, end }: ESTree.Span, code: string): string => code.slice(start, end)
