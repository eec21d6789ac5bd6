import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { text } from '../text/webhooks.ts'
import { ReceiverSample } from './receiver-sample.tsx'
import { SecretText } from './secret-popup.tsx'

/** The secret of a new endpoint, the program that uses it, and the next step. */
export function NewSecret({
  secret,
  onClose,
  onTest,
}: {
  secret: string
  onClose: () => void
  onTest: () => void
}) {
  return (
    <Drawer
      title={text.webhooks.created}
      onClose={onClose}
      foot={
        <>
          <Button look="primary" icon="send" onClick={onTest}>
            {text.webhooks.sendTest}
          </Button>
          <Button onClick={onClose}>{text.actions.done}</Button>
        </>
      }
    >
      <p>{text.webhooks.createdExplain}</p>
      <SecretText value={secret} />
      <ReceiverSample />
    </Drawer>
  )
}
