import { test } from 'node:test'
import { checkAnswers } from './authorization/answers.ts'
import { checkMatrix } from './authorization/matrix.ts'
import { openRoutes } from './authorization/world.ts'

test('who may do what at every route, and its answer', { concurrency: false }, async (t) => {
  const { world, logged } = await openRoutes(t)
  await t.test('every kind of credential', (part) => checkMatrix(part, world, logged))
  await t.test('answers, and the documents about them', (part) => checkAnswers(part, world))
})
