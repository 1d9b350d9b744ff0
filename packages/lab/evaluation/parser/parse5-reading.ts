/**
 * An HTML body as parse5 reads it: the oracle for packages/mail/message/html.ts.
 *
 * parse5 builds the tree that the HTML standard demands. The walk over it gives
 *
 * - the text nodes in tree order, with a line break before and after every element that `BLOCK`
 *   names and a space before and after table cells;
 * - not those inside script, style, title, template, iframe, noembed, noframes and datalist;
 * - not those that the declarations on the way down hide: `hidden`, display, visibility, size,
 *   position, opacity, and text in the colour of its background;
 * - the href of every a and area element.
 *
 * Declarations are read and inherited by our own html-style.ts and html-rendering.ts. So the
 * comparison says whether markup is taken apart rightly (tags, nesting, implied ends, character
 * references, white space); what counts as hidden is for packages/mail/test/message/html-hidden.test.ts.
 */
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { readColour } from '../../../mail/message/colour.ts'
import { BLOCK, CELL, elementKind } from '../../../mail/message/html-elements.ts'
import { PAGE, type Rendering, renderInside } from '../../../mail/message/html-rendering.ts'
import type { Place } from '../../../mail/message/html-selectors.ts'
import {
  cascade,
  type Declared,
  NOTHING_DECLARED,
  readDeclarations,
} from '../../../mail/message/html-style.ts'
import { StyleSheet } from '../../../mail/message/html-style-sheet.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** Text and link targets of one HTML body. */
export interface Reading {
  readonly text: string
  readonly hrefs: readonly string[]
}

const LINK_COLOUR = 0x0000ee

const NOT_SHOWN = new Set('script style title template iframe noembed noframes datalist'.split(' '))

/** A node to visit, or a line break or space to write once its children are done. */
type Step = { node: Node; around: Rendering } | { separator: string }

/** Reads `html` with scripting off, as mail clients do. */
export function readWithParse5(html: string): Reading {
  const walk = new Walk()
  walk.run(parse(html, { scriptingEnabled: false }))
  return { text: walk.text, hrefs: walk.hrefs }
}

class Walk {
  text = ''
  readonly hrefs: string[] = []
  readonly #sheet = new StyleSheet()
  readonly #seen = new Set<string>()
  readonly #steps: Step[] = []
  #elements = 0

  run(document: Node): void {
    this.#steps.push({ node: document, around: PAGE })
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      if ('separator' in step) this.text += step.separator
      else this.#visit(step.node, step.around)
    }
  }

  #visit(node: Node, around: Rendering): void {
    if ('value' in node && node.nodeName === '#text') {
      if (around.textHiddenBy === undefined) this.text += node.value
    } else if ('tagName' in node) {
      this.#visitElement(node, around)
    } else if ('childNodes' in node) {
      this.#visitChildren(node.childNodes, around)
    }
  }

  #visitElement(element: Element, around: Rendering): void {
    if (element.tagName === 'style') this.#sheet.add(contentOf(element))
    if (NOT_SHOWN.has(element.tagName)) return
    const rendering = renderInside(around, this.#declared(element), ++this.#elements)
    const href = attribute(element, 'href')?.trim()
    if (href !== undefined && /^(?:a|area)$/.test(element.tagName)) this.hrefs.push(href)
    const separator = rendering.absent ? '' : separatorOf(element)
    this.text += separator
    this.#steps.push({ separator })
    this.#visitChildren(element.childNodes, rendering)
  }

  #visitChildren(children: readonly Node[], around: Rendering): void {
    for (const node of children.toReversed()) this.#steps.push({ node, around })
  }

  #declared(element: Element): Declared {
    const styled = this.#sheet.element(
      element.tagName,
      attribute(element, 'class'),
      attribute(element, 'id'),
    )
    const ruled = this.#sheet.ruledFor(styled, (keys) => this.#placeOf(element, keys))
    const style = readDeclarations(attribute(element, 'style') ?? '')
    const attributes = cascade(presentation(element), ruled.declared)
    const declared = cascade(attributes, style.declared)
    return cascade(cascade(declared, ruled.important), style.important)
  }

  #placeOf(element: Element, keys: readonly string[]): Place {
    for (const key of keys) this.#seen.add(key)
    const tag = element.attrs.map(({ name, value }) => `${name}="${value}"`).join(' ')
    return {
      keys,
      tag: () => `${element.tagName} ${tag}`.toLowerCase(),
      isInside: (key) => aroundOf(element).some((each) => keysOf(each).includes(key)),
      isChildOf: (names) => {
        const [parent] = aroundOf(element)
        return parent !== undefined && names.every((key) => keysOf(parent).includes(key))
      },
      isAfter: (key) => this.#seen.has(key),
    }
  }
}

/** The elements around `element`, the nearest first. */
function aroundOf(element: Element): Element[] {
  const { parentNode } = element
  return parentNode !== null && 'tagName' in parentNode ? [parentNode, ...aroundOf(parentNode)] : []
}

function keysOf(element: Element): string[] {
  const classes = attribute(element, 'class')?.trim().split(/\s+/) ?? []
  const id = attribute(element, 'id')
  return [element.tagName, ...classes.map((each) => `.${each}`), ...(id ? [`#${id}`] : [])]
}

function presentation(element: Element): Declared {
  const { tagName } = element
  if (tagName === 'a') {
    const isLink = attribute(element, 'href') !== undefined
    return isLink ? { ...NOTHING_DECLARED, colour: LINK_COLOUR } : NOTHING_DECLARED
  }
  if (attribute(element, 'hidden') !== undefined) return { ...NOTHING_DECLARED, display: 'none' }
  const sized = tagName === 'font' && attribute(element, 'size') !== undefined
  return {
    ...NOTHING_DECLARED,
    colour: colourOf(attribute(element, tagName === 'body' ? 'text' : 'color')),
    background: attribute(element, 'background')
      ? 'unknown'
      : colourOf(attribute(element, 'bgcolor')),
    fontSize: sized ? { px: 10 } : undefined,
  }
}

function colourOf(value: string | undefined): Declared['colour'] {
  return value === undefined ? undefined : readColour(value)
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value
}

function separatorOf(element: Element): string {
  const { traits } = elementKind(element.tagName)
  if (traits & BLOCK) return '\n'
  return traits & CELL ? ' ' : ''
}

function contentOf(element: Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
}
