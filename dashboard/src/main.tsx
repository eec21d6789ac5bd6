import { createRoot } from 'react-dom/client'
import './tokens.css'

createRoot(document.querySelector('#app')!).render(<h1>Signpost</h1>)
