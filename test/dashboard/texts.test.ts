import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript5'
import { LANGUAGES } from '../../dashboard/src/text/languages.ts'

const SOURCES = join(import.meta.dirname, '../../dashboard/src')
const TEXTS = join(SOURCES, 'text')

/** Properties of elements and of our own components that users read. */
const READ =
  /^(aria-label|aria-description|alt|title|placeholder|label|hint|note|action|told|describe)$/

const COMPARISONS = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.InKeyword,
])

type Source = { file: string; tree: ts.SourceFile }

const sources: Source[] = globSync('**/*.{ts,tsx}', { cwd: SOURCES })
  .filter((file) => !file.startsWith('text/') && !file.endsWith('.gen.ts'))
  .map((file) => ({
    file,
    tree: ts.createSourceFile(
      file,
      readFileSync(join(SOURCES, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
      file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    ),
  }))

test('every language has a file for the messages of each feature', () => {
  const features = (folder: string) => globSync('*.ts', { cwd: join(TEXTS, folder) }).toSorted()
  for (const language of Object.keys(LANGUAGES))
    assert.deepEqual(features(language), features('en'), language)
})

test('every message of a language is one of English, and none is missing', async () => {
  for (const language of Object.keys(LANGUAGES))
    for (const feature of globSync('*.ts', { cwd: join(TEXTS, 'en') })) {
      const keys = async (folder: string) =>
        (await leaves(join(TEXTS, folder, feature))).map((path) => path.join('.')).toSorted()
      assert.deepEqual(await keys(language), await keys('en'), `${language}/${feature}`)
    }
})

test('no message is unused', async () => {
  const used = sources.flatMap(({ tree }) => pathsIn(tree))
  const unused: string[] = []
  for (const feature of globSync('*.ts', { cwd: join(TEXTS, 'en') }))
    for (const leaf of await leaves(join(TEXTS, 'en', feature)))
      if (!used.some((path) => path.every((name, at) => at >= leaf.length || name === leaf[at])))
        unused.push(`${basename(feature, '.ts')}: ${leaf.join('.')}`)
  assert.deepEqual(unused, [])
})

test('what users read is in the files of messages', () => {
  const outside = sources.flatMap(({ file, tree }) => {
    const found: string[] = []
    visit(tree, (node) => {
      if (isShown(node)) found.push(...literalsOf(node).filter(isText))
    })
    return found.map((each) => `${file}: ${each}`)
  })
  assert.deepEqual(outside, [])
})

test('no module reads a message while it is loaded, since messages come later', () => {
  const early = sources.flatMap(({ file, tree }) => {
    const found: string[] = []
    const look = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) || ts.isTypeNode(node)) return
      if (ts.isPropertyAccessExpression(node) && node.expression.getText() === 'text')
        found.push(`${file}: ${node.getText()}`)
      ts.forEachChild(node, look)
    }
    if (/from '\.\.\/text\//.test(tree.text)) look(tree)
    return found
  })
  assert.deepEqual(early, [])
})

/** Text and expressions between tags, and in the properties that users read. */
function isShown(node: ts.Node): node is ts.JsxText | ts.StringLiteral | ts.JsxExpression {
  if (!ts.isJsxExpression(node) && !ts.isStringLiteral(node)) return ts.isJsxText(node)
  if (ts.isJsxAttribute(node.parent)) return READ.test(node.parent.name.getText())
  return ts.isJsxExpression(node)
}

/** The words that an expression may have as its value, also as a part of it. */
function literalsOf(node: ts.Node | undefined): string[] {
  if (node === undefined) return []
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return [node.text.trim()]
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node))
    return literalsOf(node.expression)
  if (ts.isConditionalExpression(node))
    return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)]
  if (ts.isBinaryExpression(node) && !COMPARISONS.has(node.operatorToken.kind))
    return [...literalsOf(node.left), ...literalsOf(node.right)]
  if (!ts.isTemplateExpression(node)) return []
  const { head, templateSpans } = node
  return [
    head.text,
    ...templateSpans.flatMap(({ expression, literal }) => [
      ...literalsOf(expression),
      literal.text,
    ]),
  ]
}

/** The same in every language. */
const NAMES = ['Signpost', 'https://', 'X-Token', 'CSV', 'PNG', 'SVG']
const COMMAND = /^npm run /

function isText(value: string): boolean {
  const shown = value.trim()
  return /\p{L}{2}/u.test(shown) && !NAMES.includes(shown) && !COMMAND.test(shown)
}

/** The paths of all messages of a file, such as `['links', 'title']`. */
async function leaves(file: string): Promise<string[][]> {
  const { messages } = (await import(file)) as { messages: (tools: object) => object }
  return leavesOf(messages({}), [])
}

function leavesOf(value: unknown, path: string[]): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name]))
}

/**
 * What a module reads of the messages: `text.links.title` is `['links', 'title']`, and `text.links[each]` is
 * `['links']`, which stands for all messages below.
 */
function pathsIn(tree: ts.SourceFile): string[][] {
  const known = new Map<string, string[]>([['text', []]])
  const paths: string[][] = []
  visit(tree, (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer) alias(node, known)
  })
  visit(tree, (node) => {
    const path = pathOf(node, known)
    if (path && path.length > 0 && !isRead(node.parent, node)) paths.push(path)
  })
  return paths
}

/** `const words = text.links` and `const { title } = text.links` name what is below. */
function alias({ name, initializer }: ts.VariableDeclaration, known: Map<string, string[]>): void {
  const path = pathOf(initializer!, known)
  if (!path) return
  if (ts.isIdentifier(name)) known.set(name.text, path)
  else if (ts.isObjectBindingPattern(name))
    for (const element of name.elements)
      known.set(element.name.getText(), [...path, (element.propertyName ?? element.name).getText()])
}

function pathOf(node: ts.Node, known: Map<string, string[]>): string[] | undefined {
  if (ts.isIdentifier(node)) return known.get(node.text)
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node))
    return pathOf(node.expression, known)
  if (!ts.isPropertyAccessExpression(node)) return undefined
  const before = pathOf(node.expression, known)
  return before && [...before, node.name.text]
}

/** Whether a longer path begins with this node, or the node only declares a name. */
function isRead(parent: ts.Node, node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(parent))
    return parent.expression === node || parent.name === node
  return ts.isVariableDeclaration(parent) && parent.name === node
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}
