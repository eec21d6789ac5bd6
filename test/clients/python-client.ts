import { METHOD_NAMES } from '../../src/api/openapi/method-names.ts'
import { capitalized, createPythonTypes, docstring, type PythonTypes } from './python-types.ts'
import {
  isFeed,
  isStream,
  jsonOf,
  operationsOf,
  partsOf,
  sentence,
  type Described,
  type Document,
  type Schema,
} from './operations.ts'

/* The generated files of the Python client, from the OpenAPI document. */

const HEADER = `# Written by "npm run clients" from the OpenAPI document; tests compare.\n`

export function generatePythonClient(document: Document) {
  const types = createPythonTypes()
  for (const [name, schema] of Object.entries(document.components.schemas))
    if (!isError(schema) && name !== 'ErrorResponse') types.declare(schema, name)
  for (const described of operationsOf(document)) declareArguments(described, types)
  const events = Object.values(document.webhooks).map(({ post }) =>
    types.typeOf(post!.requestBody!.content['application/json']!.schema, ''),
  )
  return {
    'types.py': `${HEADER}
from __future__ import annotations

from typing import IO, Any, Literal, NotRequired, TypeAlias, TypedDict

File: TypeAlias = "bytes | IO[bytes] | tuple[str, bytes | IO[bytes]] | tuple[str, bytes | IO[bytes], str]"
"""Bytes, an open file, or a tuple of name, content and, if wanted, content type."""
${types.toText()}

WebhookEvent: TypeAlias = (
    ${events.join('\n    | ')}
)
"""Any event that an endpoint receives; \`type\` tells which."""
`,
    '_errors.py': generateErrors(document, types),
    '_resources.py': generateResources(document, SYNC),
    '_async_resources.py': generateResources(document, ASYNC),
  }
}

/** The answers of refused requests have a shape for each code. */
function isError({ properties }: Schema): boolean {
  return properties?.['error']?.properties?.['code']?.const !== undefined
}

function declareArguments({ operation }: Described, types: PythonTypes): void {
  const { body, isForm, hasQuery, query } = partsOf(operation)
  const name = capitalized(operation.operationId)
  if (isForm) types.declare(body!.content['multipart/form-data']!.schema, `${name}Form`)
  if (!hasQuery) return
  const properties = query.map(({ name: key, description, schema }) => [
    key,
    { ...schema, description },
  ])
  const required = query.filter((each) => each.required).map((each) => each.name)
  types.declare(
    { type: 'object', properties: Object.fromEntries(properties), required },
    `${name}Query`,
  )
}

function generateErrors({ components }: Document, types: PythonTypes): string {
  const classes = Object.entries(components.schemas)
    .filter(([, schema]) => isError(schema))
    .map(([name, schema]) => {
      const { code, details } = schema.properties!['error']!.properties!
      return { name, code: code!.const, details: types.typeOf(details!, name) }
    })
  const names = [...new Set(classes.flatMap(({ details }) => details.match(/[A-Z]\w+/g)!))]
  return `${HEADER}
from __future__ import annotations

from .errors import SignpostError
from .types import ${names.toSorted().join(', ')}

__all__ = [
${classes.map(({ name }) => `    "${name}",\n`).join('')}]
${classes
  .map(
    ({ name, details }) => `

class ${name}(SignpostError):
    details: ${details}
`,
  )
  .join('')}

ERROR_CLASSES: dict[str, type[SignpostError]] = {
${classes.map(({ name, code }) => `    "${code}": ${name},\n`).join('')}}
"""The class of each code that the server answers."""
`
}

type Flavor = {
  prefix: '' | 'Async'
  transport: 'Transport' | 'AsyncTransport'
  module: '_transport' | '_async_transport'
  iterator: 'Iterator' | 'AsyncIterator'
}
const SYNC: Flavor = {
  prefix: '',
  transport: 'Transport',
  module: '_transport',
  iterator: 'Iterator',
}
const ASYNC: Flavor = {
  prefix: 'Async',
  transport: 'AsyncTransport',
  module: '_async_transport',
  iterator: 'AsyncIterator',
}

type Resource = { name: string; methods: [name: string, described: Described][]; parts: string[] }

function generateResources(document: Document, flavor: Flavor): string {
  const resources = resourcesOf(document)
  const { prefix, transport, module, iterator } = flavor
  const list = prefix ? 'AsyncList' : 'Page'
  return `${HEADER}# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import builtins
from collections.abc import ${iterator}
from typing import Unpack

from . import types
from ._protocol import Answer, LiveEvent, Options, Request, path_part
from .${module} import ${prefix}Download, ${list}, ${transport}
${resources.map((resource) => classOf(resource, flavor)).join('')}`
}

/** Resources by name, those that contain others behind them. */
function resourcesOf(document: Document): Resource[] {
  const resources = new Map<string, Resource>()
  const resourceAt = (path: string[]): Resource => {
    const name = path.map(capitalized).join('')
    const found = resources.get(name)
    if (found) return found
    const made = { name, methods: [], parts: [] }
    if (path.length > 0) resourceAt(path.slice(0, -1)).parts.push(path.at(-1)!)
    resources.set(name, made)
    return made
  }
  for (const described of operationsOf(document)) {
    const path = METHOD_NAMES[described.operation.operationId]!.split('.')
    resourceAt(path.slice(0, -1)).methods.push([path.at(-1)!, described])
  }
  return [...resources.values()].toReversed()
}

function classOf({ name, methods, parts }: Resource, flavor: Flavor): string {
  const { prefix, transport } = flavor
  const className = (part: string) => `${prefix}${name}${capitalized(part)}`
  return `

class ${name ? className('') : `${prefix}Resources`}:
    def __init__(self, transport: ${transport}) -> None:
        self._transport = transport
${parts.map((part) => `        self.${snake(part)} = ${className(part)}(transport)\n`).join('')}${methods
    .map(([method, described]) => methodOf(snake(method), described, flavor))
    .join('')}`
}

function methodOf(method: string, described: Described, flavor: Flavor): string {
  const { path, operation } = described
  const { prefix } = flavor
  const { call, answer, isAwaited } = callOf(described, flavor)
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => `{path_part('${snake(name)}', ${snake(name)})}`,
  )
  const { names, parameters } = parametersOf(described)
  const isKeyed = operation.parameters?.some(({ name }) => name === 'Idempotency-Key')
  const request = [
    `"${described.method}"`,
    filled === path ? `"${path}"` : `f"${filled}"`,
    'options',
    ...names.map((name) => `${name}=${name}`),
    ...(isKeyed ? ['keyed=True'] : []),
  ].join(', ')
  return `
    ${prefix && isAwaited ? 'async ' : ''}def ${method}(self, ${parameters.join(', ')}) -> ${answer}:
        ${docstring(sentence(operation))}
        return ${prefix && isAwaited ? 'await ' : ''}self._transport.${call}(Request(${request}))
`
}

function parametersOf({ path, operation }: Described) {
  const { body, isForm, hasQuery, isQueryRequired } = partsOf(operation)
  const name = `types.${capitalized(operation.operationId)}`
  const given = [
    ...(body && isForm ? [{ name: 'form', type: `${name}Form`, isRequired: true }] : []),
    ...(body && !isForm
      ? [
          {
            name: 'body',
            type: qualified(body.content['application/json']!.schema),
            isRequired: body.required,
          },
        ]
      : []),
    ...(hasQuery ? [{ name: 'query', type: `${name}Query`, isRequired: isQueryRequired }] : []),
  ]
  return {
    names: given.map((each) => each.name),
    parameters: [
      ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, part]) => `${snake(part!)}: str`),
      ...given.map((each) =>
        each.isRequired ? `${each.name}: ${each.type}` : `${each.name}: ${each.type} | None = None`,
      ),
      '**options: Unpack[Options]',
    ],
  }
}

function callOf({ operation }: Described, { prefix, iterator }: Flavor) {
  if (isStream(operation))
    return { call: 'follow_clicks', answer: `${iterator}[LiveEvent]`, isAwaited: false }
  if (isFeed(operation))
    return { call: 'follow_events', answer: `${iterator}[types.BatchEvent]`, isAwaited: false }
  const json = jsonOf(operation)
  if (!json)
    return operation.responses['204']
      ? { call: 'send', answer: 'Answer[None, types.Meta]', isAwaited: true }
      : { call: 'download', answer: `${prefix}Download`, isAwaited: true }
  const { data, meta } = json.properties as { data: Schema; meta: Schema }
  if (partsOf(operation).isList) {
    const answer = `${prefix ? 'AsyncList' : 'Page'}[${qualified(data.items!)}, ${qualified(meta)}]`
    return { call: 'list', answer, isAwaited: false }
  }
  return { call: 'send', answer: `Answer[${qualified(data)}, ${qualified(meta)}]`, isAwaited: true }
}

/** A schema with a name, or a list of them. */
function qualified(schema: Schema): string {
  if (schema.$ref) return `types.${schema.$ref.split('/').at(-1)}`
  if (schema.type === 'array' && schema.items) return `builtins.list[${qualified(schema.items)}]`
  throw new Error(`no name for ${JSON.stringify(schema).slice(0, 100)}`)
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
