import type { TObject, TSchema } from 'typebox'
import { readKeywords, toExample } from '../../platform/routes/example.ts'
import { getUploadKinds, type Route, type UploadKinds } from '../../platform/routes/route.ts'
import { METHOD_NAMES } from './method-names.ts'

/* Programs that call one operation, for the reference. */

type Sample = { lang: string; label: string; source: string }

/** @param origin where the server is */
export function codeSamples(row: Route, origin: string): Sample[] {
  const call = describeCall(row)
  const method = METHOD_NAMES[row.name]
  return [
    { lang: 'shell', label: 'curl', source: curl(call, origin) },
    ...(method === undefined
      ? []
      : [
          { lang: 'typescript', label: 'TypeScript', source: typescript(call, method, origin) },
          { lang: 'python', label: 'Python', source: python(call, method, origin) },
        ]),
  ]
}

type Call = {
  verb: string
  /** With the example of each part. */
  path: string
  parts: string[]
  kind: 'form' | 'body' | 'query'
  /** What the form, body or query must have. */
  needed: object
  answer: 'data' | 'nothing' | 'file' | 'rows'
  credential: Route['requires']['credential']
}

function describeCall(row: Route): Call {
  const { method, path, shapes, requires } = row
  const partOf = (name: string) => toExample(shapes.params!.properties[name]!) as string
  const uploaded = getUploadKinds(row)
  return {
    verb: method,
    path: path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(partOf(name))),
    parts: Array.from(path.matchAll(/:(\w+)/g), ([, name]) => partOf(name!)),
    ...(uploaded
      ? { kind: 'form', needed: exampleForm(uploaded) }
      : shapes.body
        ? { kind: 'body', needed: exampleBody(shapes.body) }
        : { kind: 'query', needed: exampleQuery(shapes.query) }),
    answer: answerOf(row),
    credential: requires.credential,
  }
}

function exampleForm({ file = 'file', raw = [] }: UploadKinds): object {
  return { [file]: new SampleFile(raw.includes('text/csv') ? 'links.csv' : 'image.png') }
}

/** A change of one field says enough. */
function exampleBody(body: TSchema): object {
  const example = toExample(body, true) as object
  const { required = [], type } = readKeywords(body)
  if (required.length > 0 || type !== 'object') return example
  return Object.fromEntries(Object.entries(example).slice(0, 1))
}

function exampleQuery(query: TObject | undefined): object {
  const { required = [] } = query ? readKeywords(query) : {}
  const needed = required.filter((name) => !('default' in query!.properties[name]!))
  return Object.fromEntries(needed.map((name) => [name, toExample(query!.properties[name]!)]))
}

function answerOf({ name, status, shapes, sends }: Route): Call['answer'] {
  const isEndless = sends?.includes('text/event-stream') || name === 'listenForWebhookEvents'
  if (isEndless || (shapes.query && 'offset' in shapes.query.properties)) return 'rows'
  if (sends) return 'file'
  return status === 204 ? 'nothing' : 'data'
}

function curl({ verb, path, kind, needed, answer, credential }: Call, origin: string): string {
  const query =
    kind === 'query' ? new URLSearchParams(needed as Record<string, string>).toString() : ''
  const url = `${origin}/v1${path}${query && `?${query}`}`
  const credentials = {
    none: [],
    session: ['-b "signpost_session=$SESSION"'],
    any: ['-H "Authorization: Bearer $SIGNPOST_API_KEY"'],
  }[credential]
  return [
    `curl ${verb === 'GET' ? '' : `-X ${verb} `}${quoted(url)}`,
    ...credentials,
    ...(kind === 'form'
      ? Object.entries(needed).map(([name, { name: file }]) => `-F ${name}=@${file}`)
      : []),
    ...(kind === 'body' && !isEmpty(needed)
      ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(needed))}`]
      : []),
    ...(answer === 'file' ? ['-OJ'] : []),
  ].join(' \\\n  ')
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

const isEmpty = (value: object) => Object.keys(value).length === 0

function argumentsOf({ parts, needed }: Call, language: Language): string {
  const given = isEmpty(needed) ? parts : [...parts, needed]
  return given.map((each) => literal(each, language)).join(', ')
}

function typescript(call: Call, method: string, origin: string): string {
  const called = `client.${method}(${argumentsOf(call, TYPESCRIPT)})`
  const client =
    call.credential === 'session'
      ? '// In a page of the server itself: as the signed-in user.\nconst client = createClient({ baseUrl: location.origin })'
      : `const client = createClient({\n  baseUrl: '${origin}',\n  apiKey: env.SIGNPOST_API_KEY,\n})`
  const lines = {
    data: `console.log(await ${called})`,
    nothing: `await ${called}`,
    file: `const file = await ${called}`,
    rows: `for await (const row of ${called}) console.log(row)`,
  }
  const imports = [
    ...(call.kind === 'form' ? [`import { openAsBlob } from 'node:fs'`] : []),
    ...(call.credential === 'session' ? [] : [`import { env } from 'node:process'`]),
    `import { createClient } from '@signpost/client'`,
  ]
  return `${imports.join('\n')}\n\n${client}\n${lines[call.answer]}\n`
}

function python(call: Call, method: string, origin: string): string {
  const name = method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const called = `client.${name}(${argumentsOf(call, PYTHON)})`
  const [imports, credential] =
    call.credential === 'session'
      ? [
          'import os\n\nimport httpx\n',
          'http_client=httpx.Client(cookies={"signpost_session": os.environ["SESSION"]})',
        ]
      : ['import os\n\n', 'os.environ["SIGNPOST_API_KEY"]']
  const lines = {
    data: `print(${called}.data)`,
    nothing: called,
    file: `content = ${called}.read()`,
    rows: `for row in ${called}:\n    print(row)`,
  }
  return `${imports}from signpost_client import Client

client = Client("${origin}", ${credential})
${lines[call.answer]}
`
}

class SampleFile {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

type Language = {
  words: Record<string, string>
  key: (name: string) => string
  file: (name: string) => string
  object: (entries: string) => string
  indent: string
}
const TYPESCRIPT: Language = {
  words: { true: 'true', false: 'false', null: 'null' },
  key: (name) => (/^\w+$/.test(name) ? name : JSON.stringify(name)),
  file: (name) => `await openAsBlob('${name}')`,
  object: (entries) => `{ ${entries} }`,
  indent: '  ',
}
const PYTHON: Language = {
  words: { true: 'True', false: 'False', null: 'None' },
  key: (name) => JSON.stringify(name),
  file: (name) => `open("${name}", "rb")`,
  object: (entries) => `{${entries}}`,
  indent: '    ',
}

/** The entries of an object that is long each have a line. */
function literal(value: unknown, language: Language): string {
  if (value instanceof SampleFile) return language.file(value.name)
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, language)).join(', ')}]`
  if (value === null || typeof value === 'boolean') return language.words[String(value)]!
  if (typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([name, each]) => `${language.key(name)}: ${literal(each, language)}`,
  )
  const line = language.object(entries.join(', '))
  if (line.length <= 60) return line
  return `{\n${entries.map((each) => `${language.indent}${each},\n`).join('')}}`
}
