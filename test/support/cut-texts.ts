import type { Page } from 'playwright-core'
import { evaluateBeside } from './beside.ts'

/** An ellipsis is a choice of its page: what it shortens is whole elsewhere. */
const FIND = `(() => {
  const SLACK = 1.5
  const found = []
  const isHidden = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true
    for (let each = element; each; each = each.parentElement) {
      const { position, width, height, clipPath } = getComputedStyle(each)
      // The way in which texts are kept for screen readers alone.
      if (position === 'absolute' && width === '1px' && height === '1px') return true
      if (clipPath === 'inset(50%)') return true
      if (each.inert) return true
    }
    return false
  }
  const clips = (value) => value === 'hidden' || value === 'clip'
  const scrolls = (value) => value === 'auto' || value === 'scroll'
  const nameOf = (text, element) => element.tagName.toLowerCase() + ' "' + text + '"'
  const lookAt = (rects, text, element) => {
    for (const rect of rects) {
      if (rect.width === 0) continue
      let [canScroll, canScrollDown] = [false, false]
      for (let box = element; box && box !== document.documentElement; box = box.parentElement) {
        const style = getComputedStyle(box)
        const { left, right, top, bottom } = box.getBoundingClientRect()
        const beyond = Math.max(left - rect.left, rect.right - right)
        const under = Math.max(top - rect.top, rect.bottom - bottom)
        const isShortened = style.textOverflow === 'ellipsis' ||
          (style.webkitLineClamp !== 'none' && style.webkitLineClamp !== '')
        if (scrolls(style.overflowX)) canScroll = true
        if (scrolls(style.overflowY)) canScrollDown = true
        if (clips(style.overflowX) && beyond > SLACK && !canScroll)
          return isShortened ? null : 'is cut by ' + Math.round(beyond) + ' px'
        if (clips(style.overflowY) && under > SLACK && !isShortened && !canScrollDown)
          return 'is cut by ' + Math.round(under) + ' px in height'
        const isControl = box.matches('button, a, label, th, [role=tab], [role=option], summary')
        if (isControl && !canScroll && beyond > SLACK && style.display !== 'inline')
          return 'sticks out of its ' + box.tagName.toLowerCase() + ' by ' + Math.round(beyond) + ' px'
        if (box.tagName === 'BODY') break
      }
      if (!canScroll && (rect.left < -SLACK || rect.right > innerWidth + SLACK))
        return 'is beyond the edge of the window'
    }
    return null
  }
  const modal = document.querySelector('[role=dialog]')
  const walker = document.createTreeWalker(modal ?? document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.trim()
    const element = node.parentElement
    if (text === '' || element.closest('script, style, noscript, svg, option') || isHidden(element)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const fault = lookAt(range.getClientRects(), text, element)
    if (fault) found.push(nameOf(text, element) + ' ' + fault)
  }
  const canvas = document.createElement('canvas').getContext('2d')
  for (const field of (modal ?? document.body).querySelectorAll('select, input[placeholder]')) {
    if (field.offsetWidth === 0 || isHidden(field)) continue
    const isSelect = field.tagName === 'SELECT'
    const text = isSelect ? field.selectedOptions[0]?.text ?? '' : field.value === '' ? field.placeholder : ''
    const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(field)
    canvas.font = font
    const room = field.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd)
    const over = canvas.measureText(text).width - room
    if (over > SLACK) found.push(nameOf(text, field) + ' is cut by ' + Math.round(over) + ' px')
  }
  const overhang = document.documentElement.scrollWidth - innerWidth
  if (overhang > 0) found.push('the page is ' + overhang + ' px too wide')
  return found
})()`

/** Texts of the page, or of its popup, that are cut without an ellipsis, or stick out of their button or the window. */
export function findCutTexts(page: Page): Promise<string[]> {
  return evaluateBeside<string[]>(page, FIND)
}
