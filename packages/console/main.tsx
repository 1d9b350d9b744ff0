/** The console: a page that shows why a message got its verdict, and what the service is doing. */
import { render } from 'preact'
import { App } from './app.tsx'
import './styles/base.css'
import './styles/parts.css'
import './styles/pages.css'

const root = document.getElementById('console')
if (root !== null) render(<App />, root)
