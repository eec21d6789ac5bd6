import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Route } from '../../platform/routes/route.ts'
import { digestFile, sendFile } from '../site/static-file.ts'

/** The API described to agents: as a skill, and without its front matter as /llms.txt. */
export function addSkill(app: FastifyInstance, rows: readonly Route[], origin: string): void {
  const skill = writeSkill(rows, origin)
  add(app, '/v1/skill.md', 'text/markdown; charset=utf-8', skill)
  add(app, '/llms.txt', 'text/plain; charset=utf-8', skill.replace(/^---\n.*?\n---\n+/s, ''))
}

function writeSkill(rows: readonly Route[], origin: string): string {
  const text = readFileSync(new URL('skill.md', import.meta.url), 'utf8')
  const operations = rows
    .filter((row) => row.requires.credential === 'any' && !row.isDeprecated)
    .map(({ method, path, summary }) => `- \`${method} ${toBraces(path)}\`: ${summary}.\n`)
  return text.replaceAll('ORIGIN', origin) + operations.join('')
}

const toBraces = (path: string) => path.replace(/:(\w+)/g, '{$1}')

function add(app: FastifyInstance, path: string, type: string, text: string): void {
  const content = Buffer.from(text)
  const file = { type, content, digest: digestFile(content) }
  app.get(path, async (request, reply) => sendFile(request, reply, file, 'no-cache'))
}
