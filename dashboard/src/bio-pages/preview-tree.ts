import { createElement, type ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { imageUrl } from '../api/media.ts'

type Nodes = Schemas['BioPagePreview']['nodes']

const TAGS = new Set([
  ...['main', 'div', 'h1', 'h2', 'p', 'a', 'img', 'span', 'ul', 'li', 'b', 'small'],
  ...['svg', 'path', 'circle', 'rect'],
])
/** Attributes by the names that React has for them. */
const ATTRIBUTES = new Map([
  ['class', 'className'],
  ...['alt', 'width', 'height', 'loading', 'target', 'rel', 'aria-label', 'aria-hidden'].map(same),
  ...['viewBox', 'd', 'cx', 'cy', 'r', 'x', 'y', 'rx'].map(same),
])
const SAFE_HREF = /^(?:https?:\/\/|mailto:|tel:|\/)/i
const MEDIA = /\/media-public\/(med_[0-9A-Z]+)\?/

function same(name: string): [string, string] {
  return [name, name]
}

/**
 * The elements of a preview for React. Only tags and attributes that pages have are drawn, and images are those of
 * the workspace, since those of a draft are not public.
 */
export function toElements(nodes: Nodes): ReactNode {
  const places = new Map<number | null, number[]>()
  for (const [place, { parent }] of nodes.entries())
    places.set(parent, [...(places.get(parent) ?? []), place])
  const draw = (place: number): ReactNode => {
    const { tag, text, attributes } = nodes[place]!
    if (tag === null) return text
    if (!TAGS.has(tag)) return null
    const children = (places.get(place) ?? []).map(draw)
    return createElement(tag, { key: place, ...toProps(attributes) }, ...children)
  }
  return (places.get(null) ?? []).map(draw)
}

function toProps(attributes: Nodes[number]['attributes']): Record<string, string> {
  const props = Object.entries(attributes).flatMap(([name, value]) => {
    if (name === 'href') return SAFE_HREF.test(value) ? [[name, value]] : []
    const mediaId = name === 'src' ? MEDIA.exec(value)?.[1] : undefined
    if (mediaId) return [[name, imageUrl(mediaId)]]
    const prop = ATTRIBUTES.get(name)
    return prop ? [[prop, value]] : []
  })
  return Object.fromEntries(props) as Record<string, string>
}
