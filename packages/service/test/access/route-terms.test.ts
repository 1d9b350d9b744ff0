import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fastify } from 'fastify'
import { RouteTable, terms } from '../../access/route-terms.ts'

describe('a route that does not say on what terms it is served', () => {
  it('cannot be registered, and the error names it', () => {
    const { app } = withRoutes()
    const route = { method: ['GET', 'POST'], url: '/new', handler: () => 'open' }
    assert.throws(() => app.route(route), {
      name: 'TypeError',
      message: 'The route GET, POST /new is registered without terms',
    })
  })

  it('has none by standing under a path that has some', () => {
    const { app, routes } = withRoutes()
    const config = terms({ scope: 'admin' })
    app.get('/models', { config, handler: () => 'open' })
    assert.throws(() => app.post('/models', () => 'open'), /POST \/models/)
    assert.deepEqual(routes.methodsOf('/models'), ['GET', 'HEAD', 'OPTIONS'])
    assert.equal(routes.methodsOf('/models/'), undefined)
  })
})

/** As the server has it, without the rest. */
function withRoutes() {
  const app = fastify()
  const routes = new RouteTable()
  app.addHook('onRoute', (route) => routes.add(route))
  return { app, routes }
}
