/** Models: what is at work, what was learned from corrections, and how good it is. */
import { CardsPanel } from './cards-panel.tsx'
import { FiguresPanel, ReportsPanel } from './figures-panel.tsx'
import { VersionsPanel } from './versions-panel.tsx'

export function ModelsPage() {
  return (
    <div class="page">
      <div class="page-head">
        <h1>Models</h1>
        <p class="quiet">
          The models in use, what was learned from corrections, and how good the models are
        </p>
      </div>
      <FiguresPanel />
      <VersionsPanel />
      <CardsPanel />
      <ReportsPanel />
    </div>
  )
}
